#pragma once

#include <atomic>

#include <sched.h>

#include "base/ref.h"

namespace quern {

/// Finds a RefCounted object for as long as it lives, without keeping it alive. The object makes
/// the anchor and calls `detach` in its destructor; whoever wants to find it later holds a
/// reference to the anchor. Thread-safe.
template <typename T> class WeakAnchor final : public RefCounted {
public:
  explicit WeakAnchor(T& object) : object_(&object) {}

  /// Null once the last reference to the object is gone.
  Ref<T> lock() {
    const Locked locked(busy_);
    T* const object = object_.load(std::memory_order_relaxed);
    return object && object->tryAddRef() ? Ref<T>::adopt(object) : nullptr;
  }
  /// The object where that is `kept`, which the caller keeps alive; null otherwise. Costs next to
  /// nothing.
  T* lockIfSame(const RefCounted& kept) const {
    T* const object = object_.load(std::memory_order_relaxed);
    return object == &kept ? object : nullptr;
  }
  void detach() {
    const Locked locked(busy_);
    object_.store(nullptr, std::memory_order_relaxed);
  }

private:
  /// A spin lock: it is held for a few instructions only, so waiting is rare and its holder, if
  /// anything, needs the processor.
  class Locked {
  public:
    explicit Locked(std::atomic_flag& busy) : busy_(busy) {
      while (busy_.test_and_set(std::memory_order_acquire))
        sched_yield();
    }
    ~Locked() { busy_.clear(std::memory_order_release); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    std::atomic_flag& busy_;
  };

  std::atomic_flag busy_;
  std::atomic<T*> object_; ///< changed under the lock
};

} // namespace quern
