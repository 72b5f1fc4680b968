#pragma once

#include <atomic>
#include <cstdint>

#include "base/config.h"

namespace quern::united {

/// Whether a program's launches are long enough to be split: beginning and ending parts on several
/// devices costs some microseconds each time. Only where many launches in a row were too short do
/// the next ones stay on one device, because a single one among longer ones would bring the bytes
/// of all parts together. Thread-safe.
class Pace {
public:
  bool isTooShort() const { return shortOnes_.load(std::memory_order_relaxed) >= manyInARow; }
  /// A launch has taken so long, the longest of its parts where it was split.
  void note(double nanoseconds) {
    const double limit = isTooShort() ? 2 * least_ : least_;
    if (nanoseconds >= limit)
      shortOnes_.store(0, std::memory_order_relaxed);
    else
      shortOnes_.fetch_add(1, std::memory_order_relaxed);
  }

private:
  static constexpr uint32_t manyInARow = 16;
  const double least_ = 1000.0 * static_cast<double>(config().number(Option::UniteLeast));
  std::atomic<uint32_t> shortOnes_{0};
};

} // namespace quern::united
