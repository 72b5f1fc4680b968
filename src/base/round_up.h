#pragma once

#include <cstdint>

namespace quern {

/// The least multiple of `multiple`, which is not 0, that is not less than `value`.
constexpr uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

} // namespace quern
