#pragma once

#include <condition_variable>
#include <mutex>
#include <utility>

namespace quern {

/// Data that can only be reached while its mutex is held. Hold the guard for as short as possible
/// and never over a user callback, a compile or a blocking device call.
template <typename T> class MutexProtected {
public:
  class Guard {
  public:
    T* operator->() { return &owner_->data_; }
    T& operator*() { return owner_->data_; }
    /// Releases the lock while blocked, like std::condition_variable::wait with a predicate on the
    /// data.
    template <typename Predicate>
    void wait(std::condition_variable& condition, Predicate predicate) {
      condition.wait(lock_, [&] { return predicate(owner_->data_); });
    }

  private:
    friend MutexProtected;
    explicit Guard(MutexProtected& owner)
        : owner_(&owner), lock_(owner.acquire(), std::adopt_lock) {}
    MutexProtected* owner_;
    std::unique_lock<std::mutex> lock_;
  };

  template <typename... Args>
  explicit MutexProtected(Args&&... args) : data_{std::forward<Args>(args)...} {}

  Guard lock() { return Guard(*this); }
  /// Runs `function` on the data under the lock and returns its result.
  template <typename Function> auto with(Function&& function) {
    std::lock_guard<std::mutex> lock(acquire(), std::adopt_lock);
    return std::forward<Function>(function)(data_);
  }

private:
  /// Whoever holds the lock gives it back soon: to block and be woken takes longer.
  std::mutex& acquire() {
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
      if (mutex_.try_lock())
        return mutex_;
      __builtin_ia32_pause();
    }
    mutex_.lock();
    return mutex_;
  }

  std::mutex mutex_;
  T data_;
};

} // namespace quern
