#include "devices/cpu/tile.h"

#include <algorithm>
#include <numeric>

namespace quern::cpu {

namespace {

using Sizes = std::array<uint64_t, 3>;

/// What tiles of packets are at most made for (compiler/packets/tile_choice.cpp).
constexpr Sizes itemsOfBlock = {64, 16, 1};
/// Beyond this many work-items the cost of starting a tile is spread thin enough. The longest
/// tiles of packets, which are made for ranges of one dimension, hold as many.
constexpr uint64_t enoughItems = 256;
/// With fewer tiles, or fewer for each thread, they cannot be dealt out evenly.
constexpr uint64_t fewTiles = 64, fewTilesOfThread = 16;
/// Rows that most tiles of packets have.
constexpr uint64_t commonRows = 4;

uint64_t countTiles(const Sizes& tile, const Sizes& global) {
  uint64_t count = 1;
  for (size_t i = 0; i < 3; ++i)
    count *= global[i] / tile[i] + (global[i] % tile[i] != 0);
  return count;
}

/// For `global` work-items.
Sizes chooseTile(const abi::KernelDescription& kernel, const Sizes& global, const Sizes& local,
                 uint32_t computeUnits) {
  Sizes tile = local;
  if (kernel.flatDimensions == 0)
    return tile;
  const auto isFlat = [&](size_t dimension) {
    return (kernel.flatDimensions >> dimension & 1) != 0;
  };
  for (size_t i = 0; i < 3; ++i)
    if (isFlat(i))
      tile[i] = std::clamp<uint64_t>(global[i], 1, itemsOfBlock[i]);
  const auto items = [&] { return tile[0] * tile[1] * tile[2]; };
  for (size_t i = 0; i < 3; ++i)
    while (isFlat(i) && tile[i] < global[i] && items() < enoughItems)
      tile[i] = std::min(tile[i] * 2, global[i]);

  const uint64_t enoughTiles = std::min(fewTiles, fewTilesOfThread * computeUnits);
  const auto shrink = [&](size_t dimension, uint64_t least) {
    while (isFlat(dimension) && tile[dimension] > least && countTiles(tile, global) < enoughTiles)
      tile[dimension] = (tile[dimension] / 2 + least - 1) / least * least;
  };
  shrink(2, 1);
  shrink(1, commonRows);
  shrink(0, kernel.packetWidth);
  shrink(1, 1);
  return tile;
}

} // namespace

Tiling chooseTiling(const abi::KernelDescription& kernel, const device::LaunchKernel& launch,
                    uint32_t computeUnits) {
  const device::NdRange& range = launch.range;
  Sizes begin, end, size;
  for (size_t i = 0; i < size.size(); ++i) {
    const uint64_t groups = range.groupCount(i);
    begin[i] = launch.groups.begin[i] * range.local[i];
    end[i] =
        launch.groups.end[i] >= groups ? range.global[i] : launch.groups.end[i] * range.local[i];
    size[i] = end[i] - begin[i];
  }
  Tiling tiling = {.tile = chooseTile(kernel, size, range.local, computeUnits), .items = 1};
  for (size_t i = 0; i < size.size(); ++i) {
    // Where only a part of the range runs, tiles begin and end where that does.
    uint64_t& tile = tiling.tile[i];
    if (begin[i] != 0)
      tile = std::gcd(tile, begin[i]);
    if (end[i] != range.global[i])
      tile = std::gcd(tile, end[i]);
    tiling.first[i] = begin[i] / tile;
    tiling.count[i] = size[i] / tile + (size[i] % tile != 0);
    tiling.items *= size[i];
  }
  return tiling;
}

} // namespace quern::cpu
