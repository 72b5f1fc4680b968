#include "devices/cuda/completion.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/signals_blocked.h"
#include "devices/cuda/stream.h"

namespace quern::cuda {

namespace {

using std::chrono::microseconds;

/// A thread that waits for a command looks this often, at full speed, before it leaves its
/// processor to others between looks.
constexpr unsigned eagerLooks = 4000;
constexpr microseconds helperPause{20};
/// The own thread's first and longest pause between looks.
constexpr microseconds shortPause{20}, longPause{200};

} // namespace

void Completion::watch(Stream& stream) {
  std::lock_guard lock(mutex_);
  const bool isNew =
      std::ranges::none_of(busy_, [&](const Ref<Stream>& known) { return known.get() == &stream; });
  if (!isNew)
    return;
  busy_.emplace_back(&stream);
  busyCount_ = busy_.size();
  if (!hasThread_) {
    hasThread_ = true;
    const SignalsBlocked blocked;
    std::thread([this] { run(); }).detach();
  }
  if (busy_.size() == 1)
    condition_.notify_one();
}

bool Completion::help() {
  thread_local unsigned looks = 0;
  if (busyCount_.load() == 0)
    return false;
  if (deliver(Flush::Yes))
    looks = 0;
  else if (++looks > eagerLooks)
    std::this_thread::sleep_for(helperPause);
  return true;
}

bool Completion::deliver(Flush flush) {
  std::vector<Ref<Stream>> streams;
  {
    std::lock_guard lock(mutex_);
    streams = busy_;
  }
  const CurrentContext current(gpu_);
  bool any = false;
  for (const Ref<Stream>& stream : streams) {
    if (flush == Flush::Yes)
      stream->flush();
    any |= stream->deliver();
  }
  std::lock_guard lock(mutex_);
  // A stream that gets a command after this look is put back by `watch`, which waits for the lock.
  std::erase_if(busy_, [](const Ref<Stream>& stream) { return stream->isIdle(); });
  busyCount_ = busy_.size();
  return any;
}

void Completion::run() {
  microseconds pause = shortPause;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      condition_.wait(lock, [this] { return !busy_.empty(); });
    }
    if (deliver(Flush::No)) {
      pause = shortPause;
      continue;
    }
    std::this_thread::sleep_for(pause);
    // Commands that nobody flushes must end, too, and not only when their queue gets many more.
    deliver(Flush::Yes);
    pause = std::min(pause * 2, longPause);
  }
}

} // namespace quern::cuda
