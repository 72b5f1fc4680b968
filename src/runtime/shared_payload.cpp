#include "runtime/shared_payload.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "runtime/process.h"

namespace quern::runtime {

Result<Ref<SharedPayload>> SharedPayload::create() {
  FileDescriptor file(eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC));
  if (!file)
    return Status::error(CL_OUT_OF_RESOURCES,
                         "the system refused an eventfd for a semaphore that can be exported",
                         errno);
  return makeRef<SharedPayload>(std::move(file));
}

bool SharedPayload::isExported(int file) {
  std::array<char, 64> target = {};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(link.c_str(), target.data(), target.size());
  return length > 0 &&
         std::string_view(target.data(), static_cast<size_t>(length)) == "anon_inode:[eventfd]";
}

SharedPayload::SharedPayload(FileDescriptor file) : file_(std::move(file)) {
  // Two processes may find it readable, of which only one can consume.
  fcntl(file_.get(), F_SETFL, fcntl(file_.get(), F_GETFL) | O_NONBLOCK);
}

Result<FileDescriptor> SharedPayload::duplicate() const {
  FileDescriptor file(fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
  if (!file)
    return Status::error(CL_OUT_OF_RESOURCES, "the system refused another file descriptor", errno);
  return file;
}

void SharedPayload::signal() {
  const uint64_t one = 1;
  // Fails only where the number would not fit 64 bits.
  static_cast<void>(!::write(file_.get(), &one, sizeof(one)));
}

bool SharedPayload::take() {
  uint64_t one = 0;
  return ::read(file_.get(), &one, sizeof(one)) == sizeof(one);
}

void SharedPayload::consume(Consumed consumed) {
  enum {
    Taken,
    Waits,
    IsFirst
  } const place = waiting_.with([&](std::deque<Consumed>& waiting) {
    if (waiting.empty() && take())
      return Taken;
    waiting.push_back(std::move(consumed));
    return waiting.size() == 1 ? IsFirst : Waits;
  });
  if (place == Taken)
    consumed(CL_COMPLETE);
  else if (place == IsFirst)
    watch();
}

/// Until all that wait have got a signal.
void SharedPayload::watch() {
  addRef(); // dropped when it has become readable
  const Status status = Process::current().descriptors().watch(file_.get(), *this);
  if (status.ok())
    return;
  const std::deque<Consumed> failed = std::exchange(*waiting_.lock(), {});
  for (const Consumed& consumed : failed)
    consumed(status.code());
  dropRef();
}

void SharedPayload::becameReadable() {
  std::deque<Consumed> served;
  const bool othersWait = waiting_.with([&](std::deque<Consumed>& waiting) {
    while (!waiting.empty() && take()) {
      served.push_back(std::move(waiting.front()));
      waiting.pop_front();
    }
    return !waiting.empty();
  });
  if (othersWait)
    watch();
  for (const Consumed& consumed : served)
    consumed(CL_COMPLETE);
  dropRef();
}

bool SharedPayload::isSignaled() const {
  pollfd state = {.fd = file_.get(), .events = POLLIN, .revents = 0};
  return poll(&state, 1, 0) == 1 && (state.revents & POLLIN) != 0;
}

} // namespace quern::runtime
