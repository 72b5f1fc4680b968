#pragma once

#include <cstdint>

namespace quern::cpu {

/// Of the system's virtual memory.
constexpr uint64_t pageBytes = 4096;
constexpr uint64_t hugePageBytes = 2 << 20;

} // namespace quern::cpu
