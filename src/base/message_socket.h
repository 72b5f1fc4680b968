#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"

namespace quern {

/// One end of a connection between two processes of this machine that sends and receives messages
/// of any length. Owns the file, and ends the connection. One thread at a time.
class MessageSocket {
public:
  explicit MessageSocket(int file) : file_(file) {}
  MessageSocket(const MessageSocket&) = delete;
  MessageSocket& operator=(const MessageSocket&) = delete;
  ~MessageSocket();

  int file() const { return file_; }
  /// The other end has been closed. Does not wait.
  bool isClosed() const;
  /// Both fail when the other end has been closed, and raise no signal.
  Status send(std::span<const std::byte> message);
  /// Waits for a message.
  Result<Bytes> receive();
  /// Waits for so long at most; false when nothing has come by then.
  bool waitForMessage(int milliseconds) const;

private:
  const int file_;
};

} // namespace quern
