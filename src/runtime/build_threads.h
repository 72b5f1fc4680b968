#pragma once

#include <deque>
#include <functional>

#include "base/mutex_protected.h"

namespace quern::runtime {

/// Threads that compile in the background. They start when there is work and end when there is
/// none. Never destroyed once a thread has started (see Process).
class BuildThreads {
public:
  struct Kind {
    unsigned most = 0; ///< threads; 0: as many as the machine has processors
    const char* name = "quern-build";
    int niceness = 0; ///< added to that of the program
  };

  explicit BuildThreads(const Kind& kind) : kind_(kind) {}
  BuildThreads() = default;

  /// Queues `build`; runs it on the calling thread when no thread can be started. Thread-safe.
  void post(std::function<void()> build);

private:
  struct State {
    std::deque<std::function<void()>> builds;
    unsigned threads = 0;
  };
  void run();

  const Kind kind_;
  MutexProtected<State> state_;
};

} // namespace quern::runtime
