#include "base/message_socket.h"

#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sentence.h"

namespace quern {
namespace {

Status failed(const char* what) {
  return Status::error(CL_OUT_OF_RESOURCES, sentence(what, " a process failed: ", strerror(errno)),
                       errno);
}

/// All of `bytes`, in as many calls of `transfer` as it takes.
template <typename Byte, typename Transfer>
bool transferAll(std::span<Byte> bytes, Transfer transfer) {
  while (!bytes.empty()) {
    const ssize_t done = transfer(bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done == 0)
      errno = ECONNRESET;
    if (done <= 0)
      return false;
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
  return true;
}

} // namespace

MessageSocket::~MessageSocket() {
  shutdown(file_, SHUT_RDWR); // children of the process may have the file, too
  close(file_);
}

bool MessageSocket::isClosed() const {
  pollfd state = {.fd = file_, .events = POLLRDHUP, .revents = 0};
  return poll(&state, 1, 0) != 0;
}

Status MessageSocket::send(std::span<const std::byte> message) {
  const auto put = [this](const std::byte* data, size_t bytes) {
    return ::send(file_, data, bytes, MSG_NOSIGNAL);
  };
  const uint64_t size = message.size();
  if (!transferAll(std::as_bytes(std::span(&size, 1)), put) || !transferAll(message, put))
    return failed("sending to");
  return {};
}

Result<Bytes> MessageSocket::receive() {
  const auto get = [this](std::byte* data, size_t bytes) { return recv(file_, data, bytes, 0); };
  uint64_t size = 0;
  if (!transferAll(std::as_writable_bytes(std::span(&size, 1)), get))
    return failed("receiving from");
  Bytes message(size);
  if (!transferAll(std::span(message), get))
    return failed("receiving from");
  return message;
}

bool MessageSocket::waitForMessage(int milliseconds) const {
  pollfd state = {.fd = file_, .events = POLLIN, .revents = 0};
  return poll(&state, 1, milliseconds) != 0;
}

} // namespace quern
