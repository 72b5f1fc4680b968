#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/ref.h"
#include "devices/cuda/gpu.h"

namespace quern::cuda {

class Stream;

/// Sees to it that commands are told when they have ended: by threads that wait for some anyway, or
/// else by a thread of its own, which starts with the first command and never ends. Thread-safe.
class Completion {
public:
  explicit Completion(const Gpu& gpu) : gpu_(gpu) {}

  /// `stream`, which is not watched, has a command.
  void watch(Stream& stream);
  /// Delivers what has ended, or waits a moment. False when no command is under way.
  bool help();

private:
  enum class Flush : bool { No, Yes };
  bool deliver(Flush flush);
  void run();

  const Gpu& gpu_;
  std::mutex mutex_;
  std::condition_variable condition_;
  std::vector<Ref<Stream>> busy_; ///< guarded by mutex_
  std::atomic<size_t> busyCount_{0};
  std::atomic<uint64_t> helps_{0}; ///< looks by threads that wait
  bool hasThread_ = false;         ///< guarded by mutex_
  bool isSleeping_ = false;        ///< guarded by mutex_: the thread, until it is notified
};

} // namespace quern::cuda
