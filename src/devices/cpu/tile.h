#pragma once

#include <array>
#include <cstdint>

#include "abi/program_image.h"
#include "device/command.h"

namespace quern::cpu {

/// The work-items that a kernel's entry is given as one work-group (abi::LaunchInfo::tileSize): the
/// local size of `range`, but for the dimensions in which nobody can tell groups apart. There a
/// tile has whole packets in dimension 0 and rows that have something in common in dimension 1,
/// enough work-items that starting it costs little, and few enough that all threads, one for each
/// of `computeUnits`, get several.
std::array<uint64_t, 3> chooseTile(const abi::KernelDescription& kernel,
                                   const device::NdRange& range, uint32_t computeUnits);

} // namespace quern::cpu
