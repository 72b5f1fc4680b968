#include "runtime/descriptor_watch.h"

#include <cerrno>
#include <system_error>
#include <thread>

#include <pthread.h>
#include <sys/epoll.h>

#include "base/sentence.h"
#include "base/signals_blocked.h"

namespace quern::runtime {

namespace {

struct Watched {
  int file;
  DescriptorWatch::Watcher& watcher;
};

Status refused(std::string_view what) {
  return Status::error(CL_OUT_OF_RESOURCES, sentence("the system refused ", what), errno);
}

} // namespace

Status DescriptorWatch::watch(int file, Watcher& watcher) {
  QUERN_TRY(start());
  auto watched = std::make_unique<Watched>(file, watcher);
  epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data = {.ptr = watched.get()}};
  if (epoll_ctl(poll_.get(), EPOLL_CTL_ADD, file, &event) != 0)
    return refused("to watch a file descriptor");
  // The thread's from now on; it may have deleted it already.
  static_cast<void>(watched.release());
  return {};
}

Status DescriptorWatch::start() {
  const std::lock_guard lock(starting_);
  if (poll_)
    return {};
  FileDescriptor made(epoll_create1(EPOLL_CLOEXEC));
  if (!made)
    return refused("a file descriptor to watch others with");
  poll_ = std::move(made);
  try {
    const SignalsBlocked blocked;
    std::thread([this] { run(); }).detach();
  } catch (const std::system_error&) {
    poll_ = FileDescriptor();
    return refused("a thread that watches file descriptors");
  }
  return {};
}

void DescriptorWatch::run() const {
  pthread_setname_np(pthread_self(), "quern-watch");
  for (;;) {
    epoll_event event = {};
    if (epoll_wait(poll_.get(), &event, 1, -1) != 1)
      continue;
    const std::unique_ptr<Watched> watched(static_cast<Watched*>(event.data.ptr));
    // Who is told may close it, or watch it again.
    epoll_ctl(poll_.get(), EPOLL_CTL_DEL, watched->file, nullptr);
    watched->watcher.becameReadable();
  }
}

} // namespace quern::runtime
