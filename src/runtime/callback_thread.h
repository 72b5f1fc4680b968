#pragma once

#include <deque>
#include <functional>

#include "base/mutex_protected.h"

namespace quern::runtime {

/// Runs the program's callbacks, one after another in the order they were posted, on a thread of
/// its own that starts with the first one. A callback may call anything back in: while one blocks
/// inside the driver, another thread takes over. Never destroyed once a thread has started (see
/// Process).
class CallbackThread {
public:
  CallbackThread() = default;

  /// Queues `callback`; never waits for one that runs. Thread-safe.
  void post(std::function<void()> callback);

  /// Runs `callback` at once, or posts it where a DeferringScope says that this is no place for the
  /// program's code.
  void runOrPost(std::function<void()> callback);

  /// Held while a thread blocks inside the driver. On a callback thread the callbacks that follow
  /// go on elsewhere.
  class BlockingScope {
  public:
    BlockingScope();
    ~BlockingScope();
    BlockingScope(const BlockingScope&) = delete;
    BlockingScope& operator=(const BlockingScope&) = delete;
  };

  /// Held while a thread works for a device: a callback that blocks there would hold up the
  /// commands it waits for.
  class DeferringScope {
  public:
    DeferringScope() { ++depth_; }
    ~DeferringScope() { --depth_; }
    DeferringScope(const DeferringScope&) = delete;
    DeferringScope& operator=(const DeferringScope&) = delete;

  private:
    friend CallbackThread;
    static constinit inline thread_local unsigned depth_ = 0; ///< of the scopes of the thread
  };

private:
  struct State {
    std::deque<std::function<void()>> callbacks;
    /// Threads that are not blocked inside the driver. More than one only for a moment after a
    /// blocked one goes on.
    unsigned active = 0;
  };

  void startThread();
  void run();

  MutexProtected<State> state_;
  std::condition_variable_any posted_;
};

} // namespace quern::runtime
