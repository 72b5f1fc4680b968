#pragma once

#include <deque>
#include <functional>

#include "base/file_descriptor.h"
#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/descriptor_watch.h"

namespace quern::runtime {

/// The payload of a semaphore that processes share (CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR): the number
/// of signals that nobody has consumed, in an eventfd. It is a number so that a signal that
/// overtakes the wait before it, as two processes cannot see, is not lost. Thread-safe.
class SharedPayload final : public RefCounted, private DescriptorWatch::Watcher {
public:
  /// A new one, without signals. Fails with CL_OUT_OF_RESOURCES.
  static Result<Ref<SharedPayload>> create();
  /// Whether `file` is the payload of a semaphore that was exported from here or another process.
  static bool isExported(int file);
  explicit SharedPayload(FileDescriptor file);

  /// Another descriptor of it, for the caller. Fails with CL_OUT_OF_RESOURCES.
  Result<FileDescriptor> duplicate() const;

  void signal();
  /// Calls `consumed` once, when it has consumed a signal for the caller: at once or later, on
  /// another thread, in the order of the calls. With a negative status when that cannot be.
  using Consumed = std::function<void(cl_int status)>;
  void consume(Consumed consumed);
  bool isSignaled() const;

private:
  bool take();
  void watch();
  void becameReadable() override;

  const FileDescriptor file_;
  MutexProtected<std::deque<Consumed>> waiting_;
};

} // namespace quern::runtime
