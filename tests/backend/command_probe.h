#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "device/device.h"

namespace quern::test {

/// A command that remembers what the device told it.
class CommandProbe : public device::Command {
public:
  explicit CommandProbe(device::Work newWork = device::Nothing()) : ownWork(std::move(newWork)) {
    work = &ownWork;
  }

  void started(uint64_t time) override {
    startedTime = time;
    ++startedCalls;
  }
  void finished(cl_int newStatus, uint64_t time) override {
    finishedTime = time;
    if (onFinished)
      onFinished();
    std::lock_guard lock(mutex_);
    status = newStatus;
    ++finishedCalls;
    done_ = true;
    condition_.notify_all();
  }

  bool isDone() const {
    std::lock_guard lock(mutex_);
    return done_;
  }
  /// Blocks without helping.
  void wait() {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [&] { return done_; });
  }
  /// Waits as the runtime does: helps until there is nothing to help with, then blocks.
  void waitHelping(device::Device& device, device::Queue& queue) {
    while (!isDone() && device.help()) {
    }
    queue.flush();
    wait();
  }

  device::Work ownWork;
  std::function<void()> onFinished;
  uint64_t startedTime = 0, finishedTime = 0;
  int startedCalls = 0, finishedCalls = 0;
  cl_int status = 1;

private:
  mutable std::mutex mutex_;
  std::condition_variable condition_;
  bool done_ = false;
};

} // namespace quern::test
