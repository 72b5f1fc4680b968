#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"

namespace quern::cuda {

class Stream;
enum class Look : bool;

/// Sees to it that commands are told when they have ended: by threads that wait for some anyway, or
/// else by a thread of its own, which starts with the first command and never ends. Thread-safe.
class Completion {
public:
  /// `stream`, which is not watched, has a command.
  void watch(Stream& stream);
  /// Delivers what has ended, or waits a moment. False when no command is under way.
  bool help();
  /// Another thread delivers what ends, for a while.
  void noteHelp() {
    // Of threads that help at once, one may be counted for all.
    helps_.store(helps_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

private:
  enum class Await : bool { No, Yes };
  bool deliver(Await await, Look look);
  void run();

  struct State {
    std::vector<Ref<Stream>> busy;
    bool hasThread = false;
    bool isSleeping = false; ///< the thread, until it is notified
  };

  MutexProtected<State> state_;
  std::condition_variable_any condition_;
  std::atomic<size_t> busyCount_{0};
  std::atomic<uint64_t> helps_{0}; ///< looks by other threads
};

} // namespace quern::cuda
