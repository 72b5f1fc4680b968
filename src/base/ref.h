#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace quern {

/// Base of objects shared by counted references. The count starts at 1 and belongs to the `Ref`
/// made by `makeRef`. Counting is thread-safe; the object is deleted by the thread that drops the
/// last reference.
class RefCounted {
public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void addRef() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void dropRef() const {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  /// Takes a reference unless the last one is already gone. For weak look-ups under the lock that
  /// guards the table.
  bool tryAddRef() const {
    uint32_t count = references_.load(std::memory_order_relaxed);
    while (count != 0)
      if (references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
        return true;
    return false;
  }

protected:
  virtual ~RefCounted() = default;
  /// Whether there is only one reference. Where nobody tries to take one, it then is the last.
  bool hasOneRef() const { return references_.load(std::memory_order_acquire) == 1; }

private:
  mutable std::atomic<uint32_t> references_{1};
};

/// Owning pointer to a RefCounted object; may be null.
template <typename T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  /// Shares `object`, which keeps its other references.
  explicit Ref(T* object) : object_(object) {
    if (object_)
      object_->addRef();
  }
  /// Takes over one reference that the caller owns.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename U> Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
  template <typename U> Ref(Ref<U>&& other) noexcept : object_(other.release()) {}
  ~Ref() { reset(); }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  void reset() {
    if (T* object = std::exchange(object_, nullptr))
      object->dropRef();
  }
  /// Gives the reference to the caller.
  T* release() { return std::exchange(object_, nullptr); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

private:
  T* object_ = nullptr;
};

template <typename T, typename... Args> Ref<T> makeRef(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace quern
