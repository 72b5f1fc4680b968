#pragma once

#include <deque>
#include <functional>

#include "base/mutex_protected.h"

namespace quern::runtime {

/// Threads that builds with a notify function run on, as many as the machine has processors. They
/// start when there is work and end when there is none. Never destroyed once a thread has started
/// (see Process).
class BuildThreads {
public:
  /// Queues `build`; runs it on the calling thread when no thread can be started. Thread-safe.
  void post(std::function<void()> build);

private:
  struct State {
    std::deque<std::function<void()>> builds;
    unsigned threads = 0;
  };
  void run();

  MutexProtected<State> state_;
};

} // namespace quern::runtime
