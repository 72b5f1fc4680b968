#pragma once

#include <atomic>
#include <cstdint>

#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h> // of the sanitizers' own package, which an ordinary build does without
#endif

namespace quern {

/// A mutex of four bytes for what is held for moments only: where nobody else wants it, it is taken
/// with one atomic instruction and given back with another, without a call. A thread that does not
/// get it soon blocks. ThreadSanitizer watches it as any other, and in which order threads take
/// several.
class Mutex {
public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() {
    Watched::taking(*this);
    if (!take())
      wait();
    Watched::taken(*this);
  }
  void unlock() {
    Watched::givingBack(*this);
    if (state_.exchange(State::Free, std::memory_order_release) == State::Awaited)
      state_.notify_one();
    Watched::givenBack(*this);
  }

private:
  enum class State : uint32_t { Free, Held, Awaited }; ///< the last: held, and others may wait

  bool take() {
    State expected = State::Free;
    return state_.compare_exchange_strong(expected, State::Held, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  void wait();

  struct Watched {
#if __has_feature(thread_sanitizer)
    static void taking(Mutex& mutex) { __tsan_mutex_pre_lock(&mutex, 0); }
    static void taken(Mutex& mutex) { __tsan_mutex_post_lock(&mutex, 0, 0); }
    static void givingBack(Mutex& mutex) { __tsan_mutex_pre_unlock(&mutex, 0); }
    static void givenBack(Mutex& mutex) { __tsan_mutex_post_unlock(&mutex, 0); }
#else
    static void taking(Mutex&) {}
    static void taken(Mutex&) {}
    static void givingBack(Mutex&) {}
    static void givenBack(Mutex&) {}
#endif
  };

  std::atomic<State> state_{State::Free};
};

} // namespace quern
