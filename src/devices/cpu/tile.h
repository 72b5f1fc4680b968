#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "abi/cpu_kernel.h"
#include "abi/program_image.h"
#include "device/command.h"

namespace quern::cpu {

/// How a launch is cut: into tiles of so many work-items in each dimension, of which it runs
/// `count` from `first` on. They are numbered through all of the NDRange.
struct Tiling {
  std::array<uint64_t, 3> tile = {1, 1, 1};
  std::array<uint64_t, 3> first = {0, 0, 0};
  std::array<uint64_t, 3> count = {1, 1, 1};
  uint64_t items = 0; ///< of all its tiles

  uint64_t itemsOfTile() const { return tile[0] * tile[1] * tile[2]; }
  /// Whether code may rely on where tiles begin in dimension 0 (abi::LaunchFacts::zeroOffset).
  bool beginsAtMultiples() const {
    return first[0] + count[0] <= 1 || tile[0] % abi::cpuKernelTileMultiple == 0;
  }
  bool isOneTile() const { return count == std::array<uint64_t, 3>{1, 1, 1}; }
};

/// The work-items of the work-groups that `launch` runs.
uint64_t itemsOf(const device::LaunchKernel& launch);

/// Those along which the codes that may run a launch have packets
/// (abi::KernelDescription::packetDimension): of each of the three, whether any has.
using PacketDimensions = std::bitset<3>;

/// A tile is what a kernel's entry is given as one work-group (abi::LaunchInfo::tileSize): the
/// local size, but for the dimensions in which nobody can tell groups apart. There a tile has whole
/// packets in the dimensions of packets and, in the first other one of dimensions 1 and 0, rows
/// that have something in common, enough work-items that starting it costs little, and few enough
/// that all threads, one for each of `computeUnits`, get several.
Tiling chooseTiling(const abi::KernelDescription& kernel, PacketDimensions dimensions,
                    const device::LaunchKernel& launch, uint32_t computeUnits);

} // namespace quern::cpu
