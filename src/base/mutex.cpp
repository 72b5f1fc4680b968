#include "base/mutex.h"

namespace quern {

void Mutex::wait() {
  // Whoever holds it gives it back soon: to block and be woken takes longer.
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    __builtin_ia32_pause();
    if (state_.load(std::memory_order_relaxed) == State::Free && take())
      return;
  }
  while (state_.exchange(State::Awaited, std::memory_order_acquire) != State::Free)
    state_.wait(State::Awaited, std::memory_order_relaxed);
}

} // namespace quern
