#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/mutex.h"

namespace quern {

/// Data that can only be reached while its mutex is held. Hold the guard for as short as possible
/// and never over a user callback, a compile or a blocking device call.
template <typename T> class MutexProtected {
public:
  class Guard {
  public:
    T* operator->() { return &owner_->data_; }
    T& operator*() { return owner_->data_; }
    /// Releases the lock while blocked, like std::condition_variable_any::wait with a predicate on
    /// the data.
    template <typename Predicate>
    void wait(std::condition_variable_any& condition, Predicate predicate) {
      condition.wait(lock_, [&] { return predicate(owner_->data_); });
    }

  private:
    friend MutexProtected;
    explicit Guard(MutexProtected& owner) : owner_(&owner), lock_(owner.mutex_) {}
    MutexProtected* owner_;
    std::unique_lock<Mutex> lock_;
  };

  template <typename... Args>
  explicit MutexProtected(Args&&... args) : data_{std::forward<Args>(args)...} {}

  Guard lock() { return Guard(*this); }
  /// Runs `function` on the data under the lock and returns its result.
  template <typename Function> auto with(Function&& function) {
    const std::lock_guard lock(mutex_);
    return std::forward<Function>(function)(data_);
  }

private:
  Mutex mutex_;
  T data_;
};

} // namespace quern
