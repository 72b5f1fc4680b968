#pragma once

#include <algorithm>
#include <array>

#include "device/command.h"
#include "devices/cuda/driver_api.h"

namespace quern::cuda {

/// Work-groups of one size that the driver launches at once.
struct Grid {
  std::array<uint64_t, 3> firstGroup;
  std::array<uint64_t, 3> allGroups; ///< of the NDRange
  std::array<unsigned, 3> groups;
  std::array<unsigned, 3> local;
};

/// Calls `launch(grid)` for grids that together make up `groups` of `range`, until one fails:
/// nearly always one. Work-groups at the edges that are smaller have grids of their own, and so
/// have those beyond what a grid can hold.
template <typename Launch>
Error forEachGrid(const device::NdRange& range, const device::GroupRange& groups, Launch&& launch) {
  constexpr std::array<uint64_t, 3> limits = {0x7fffffff, 0xffff, 0xffff};
  std::array<uint64_t, 3> whole, rest, count, end;
  for (size_t i = 0; i < 3; ++i) {
    whole[i] = range.global[i] / range.local[i];
    rest[i] = range.global[i] % range.local[i];
    count[i] = whole[i] + (rest[i] != 0 ? 1 : 0);
    end[i] = std::min(groups.end[i], count[i]);
    whole[i] = std::min(whole[i], end[i]);
  }
  // The next part of a dimension from work-group `first` on: whole ones, or the last smaller one.
  const auto part = [&](size_t i, uint64_t first, Grid& grid) {
    const bool isEdge = first == whole[i]; // And it is the last of all.
    grid.firstGroup[i] = first;
    grid.groups[i] = static_cast<unsigned>(isEdge ? 1 : std::min(whole[i] - first, limits[i]));
    grid.local[i] = static_cast<unsigned>(isEdge ? rest[i] : range.local[i]);
    return first + grid.groups[i];
  };
  Grid grid;
  grid.allGroups = count;
  for (uint64_t z = groups.begin[2]; z < end[2];) {
    z = part(2, z, grid);
    for (uint64_t y = groups.begin[1]; y < end[1];) {
      y = part(1, y, grid);
      for (uint64_t x = groups.begin[0]; x < end[0];) {
        x = part(0, x, grid);
        if (const Error error = launch(grid); error != Error::Success)
          return error;
      }
    }
  }
  return Error::Success;
}

/// Whether one grid makes up what `launch` runs.
inline bool isOneGrid(const device::LaunchKernel& launch) {
  size_t grids = 0;
  forEachGrid(launch.range, launch.groups,
              [&](const Grid&) { return ++grids == 1 ? Error::Success : Error::NotReady; });
  return grids == 1;
}

} // namespace quern::cuda
