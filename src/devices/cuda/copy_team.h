#pragma once

#include <condition_variable>
#include <functional>

#include "base/mutex_protected.h"

namespace quern::cuda {

/// Threads of the process that help a thread to copy memory: one alone copies slower than a GPU can
/// take it. Thread-safe.
class CopyTeam {
public:
  /// The process's, never destroyed; null where there is one processor only, and after a fork().
  static CopyTeam* get();
  /// Fewer helpers where the system starts no more.
  explicit CopyTeam(unsigned helpers);

  /// Calls `work` on every helper at once. False, and nothing is called, while they have other
  /// work.
  bool start(std::function<void()> work);
  /// Waits until all have returned from what `start` gave them.
  void join();

private:
  void run();

  struct State {
    std::function<void()> work;
    uint64_t works = 0; ///< given so far
    unsigned busy = 0;  ///< helpers that have not returned
  };

  unsigned helpers_ = 0;
  MutexProtected<State> state_;
  std::condition_variable_any changed_;
};

} // namespace quern::cuda
