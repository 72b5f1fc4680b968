#pragma once

#include <cstddef>
#include <cstdint>

namespace quern::cpu {

/// Copies memory that does not overlap past the caches, which need not fetch what is overwritten:
/// for amounts of which the caches would keep nothing. Other threads see the copy after the
/// same synchronisation as any other.
void copyStreaming(std::byte* destination, const std::byte* source, uint64_t bytes);

} // namespace quern::cpu
