#pragma once

#include <cstdint>

namespace quern {

/// Of the system's virtual memory.
constexpr uint64_t pageBytes = 4096;
/// From this size on memory starts on a huge page's border, so that the system can use huge pages.
constexpr uint64_t hugePageBytes = 2 << 20;

} // namespace quern
