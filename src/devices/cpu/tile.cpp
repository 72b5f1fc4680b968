#include "devices/cpu/tile.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

namespace quern::cpu {

namespace {

using Sizes = std::array<uint64_t, 3>;

/// What tiles of packets are at most made for (compiler/packets/tile_choice.cpp). Those that follow
/// each other in dimension 0 run as one.
constexpr Sizes itemsOfBlock = {64, 16, 1};
/// With packets in dimension 1 or 2, in which nobody else makes long rows of tiles: tiles follow
/// each other in dimension 0, so that what goes on behind a tile comes much later.
constexpr Sizes itemsOfColumns = {16, 4096, 1}, itemsOfPlanes = {16, 16, 4096};
/// Beyond this many work-items the cost of starting a tile is spread thin enough. The longest
/// tiles of packets, which are made for ranges of one dimension, hold as many.
constexpr uint64_t enoughItemsOfTile = 256;
/// With fewer tiles, or fewer for each thread, they cannot be dealt out evenly.
constexpr uint64_t fewTiles = 64, fewTilesOfThread = 16;
/// Rows that most tiles of packets have, and the packets of a short row.
constexpr uint64_t commonRows = 4, commonPackets = 4;

/// The work-items that a launch runs, in each dimension.
struct Items {
  Sizes begin, end;

  uint64_t size(size_t dimension) const { return end[dimension] - begin[dimension]; }
};

Items rangeOf(const device::LaunchKernel& launch) {
  const Sizes &global = launch.range.global, &local = launch.range.local;
  Items items;
  for (size_t i = 0; i < 3; ++i) {
    items.begin[i] = launch.groups.begin[i] * local[i];
    uint64_t end = 0;
    const bool isPart = !__builtin_mul_overflow(launch.groups.end[i], local[i], &end);
    items.end[i] = isPart ? std::min(end, global[i]) : global[i];
  }
  return items;
}

/// Of the blocks for packets in each of these dimensions, the longer one.
Sizes blockFor(PacketDimensions dimensions) {
  Sizes block = {1, 1, 1};
  for (size_t i = 0; i < 3; ++i)
    for (const auto& [dimension, sizes] :
         {std::pair{0, itemsOfBlock}, {1, itemsOfColumns}, {2, itemsOfPlanes}})
      if (dimensions.test(static_cast<size_t>(dimension)))
        block[i] = std::max(block[i], sizes[i]);
  return block;
}

/// For `global` work-items.
Sizes chooseTile(const abi::KernelDescription& kernel, PacketDimensions dimensions,
                 const Sizes& global, const Sizes& local, uint32_t computeUnits) {
  Sizes tile = local;
  if (kernel.flatDimensions == 0)
    return tile;
  const auto isFlat = [&](size_t dimension) {
    return (kernel.flatDimensions >> dimension & 1) != 0;
  };
  const size_t ofPackets = dimensions.test(2) ? 2 : dimensions.test(1) ? 1 : 0;
  const Sizes block = blockFor(dimensions);
  for (size_t i = 0; i < 3; ++i)
    if (isFlat(i))
      tile[i] = std::clamp<uint64_t>(global[i], 1, block[i]);
  const auto items = [&] { return tile[0] * tile[1] * tile[2]; };
  for (size_t i = 0; i < 3; ++i)
    while (isFlat(i) && tile[i] < global[i] && items() < enoughItemsOfTile)
      tile[i] = std::min(tile[i] * 2, global[i]);

  const uint64_t enoughTiles = std::min(fewTiles, fewTilesOfThread * computeUnits);
  Sizes count;
  for (size_t i = 0; i < 3; ++i)
    count[i] = device::countOf(global[i], tile[i]);
  const auto shrink = [&](size_t dimension, uint64_t least) {
    while (isFlat(dimension) && tile[dimension] > least &&
           count[0] * count[1] * count[2] < enoughTiles) {
      tile[dimension] = (tile[dimension] / 2 + least - 1) / least * least;
      count[dimension] = device::countOf(global[dimension], tile[dimension]);
    }
  };
  struct Shrinking {
    size_t dimension;
    uint64_t least;
  };
  // Dimension 0 shrinks late where packets lie along another one: code for ids from 0 on asks for
  // a multiple there.
  const uint64_t width = kernel.packetWidth, multiple = abi::cpuKernelTileMultiple;
  const std::initializer_list<Shrinking> alongRows = {{2, 1}, {1, commonRows}, {0, width}, {1, 1}};
  const std::initializer_list<Shrinking> alongColumns = {
      {2, 1}, {1, commonPackets * width}, {0, multiple}, {1, width}, {0, 1}};
  const std::initializer_list<Shrinking> alongPlanes = {
      {1, commonRows}, {0, multiple}, {2, commonPackets * width}, {2, width}, {1, 1}, {0, 1}};
  for (const auto& [dimension, least] : ofPackets == 2   ? alongPlanes
                                        : ofPackets == 1 ? alongColumns
                                                         : alongRows)
    shrink(dimension, least);
  // Where no packet is full, its work-items lose nothing by running on several threads.
  if (tile[ofPackets] < kernel.packetWidth)
    shrink(ofPackets, 1);
  return tile;
}

} // namespace

uint64_t itemsOf(const device::LaunchKernel& launch) {
  const Items items = rangeOf(launch);
  return items.size(0) * items.size(1) * items.size(2);
}

Tiling chooseTiling(const abi::KernelDescription& kernel, PacketDimensions dimensions,
                    const device::LaunchKernel& launch, uint32_t computeUnits) {
  const device::NdRange& range = launch.range;
  const Items items = rangeOf(launch);
  const Sizes size = {items.size(0), items.size(1), items.size(2)};
  Tiling tiling = {.tile = chooseTile(kernel, dimensions, size, range.local, computeUnits),
                   .items = size[0] * size[1] * size[2]};
  for (size_t i = 0; i < size.size(); ++i) {
    // Where only a part of the range runs, tiles begin and end where that does.
    uint64_t& tile = tiling.tile[i];
    if (items.begin[i] != 0)
      tile = std::gcd(tile, items.begin[i]);
    if (items.end[i] != range.global[i])
      tile = std::gcd(tile, items.end[i]);
    tiling.first[i] = items.begin[i] == 0 ? 0 : items.begin[i] / tile;
    tiling.count[i] = device::countOf(size[i], tile);
  }
  return tiling;
}

} // namespace quern::cpu
