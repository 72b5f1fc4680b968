#pragma once

#include <array>
#include <cstdint>

#include "device/command.h"

namespace quern::cuda {

constexpr uint32_t warpItems = 32;

/// The local size for `range`, of at most `maxItems` work-items: `hint` where it fits, else whole
/// warps where they divide the global size. Divides the global size unless
/// `mayBeNonUniform` and that would leave most of a warp idle.
std::array<uint64_t, 3> chooseLocalSize(const device::NdRange& range,
                                        const std::array<uint64_t, 3>& hint, uint64_t maxItems,
                                        bool mayBeNonUniform);

} // namespace quern::cuda
