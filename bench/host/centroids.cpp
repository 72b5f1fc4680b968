#include "host.h"
#include "team.h"
#include "tile.h"

#include <algorithm>

namespace quern::bench::host {
namespace {

constexpr size_t dimensions = 64;
/// Descriptors that are compared at a time, one in each lane.
constexpr size_t vectors = 4;
constexpr size_t block = vectors * lanes<float>;

/// The components of `count` descriptors, at most a block: columns[i][d] is component i of
/// descriptor d.
void turn(const float* descriptors, size_t count, float columns[dimensions][block]) {
  static_assert(dimensions % tileEdge == 0 && block % tileEdge == 0);
  if (count == block) {
    for (size_t d = 0; d < block; d += tileEdge)
      for (size_t i = 0; i < dimensions; i += tileEdge)
        transposeTile(descriptors + d * dimensions + i, dimensions, &columns[i][d], block);
    return;
  }
  for (size_t i = 0; i < dimensions; ++i)
    for (size_t d = 0; d < block; ++d)
      columns[i][d] = d < count ? descriptors[d * dimensions + i] : 0.0f;
}

/// Sets the index of the centroid that is nearest to each descriptor of a block.
void findNearest(const float columns[dimensions][block], const float* centroids, size_t k,
                 int32_t nearest[block]) {
  Vector<float> least[vectors];
  Vector<int32_t> index[vectors] = {};
  for (size_t c = 0; c < k; ++c) {
    Vector<float> distance[vectors];
#pragma GCC unroll 4
    for (auto& vector : distance)
      vector = Vector<float>{};
    for (size_t i = 0; i < dimensions; ++i) {
      const float component = centroids[c * dimensions + i];
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; ++v) {
        const Vector<float> difference = load(columns[i] + v * lanes<float>) - component;
        distance[v] += difference * difference;
      }
    }
    const auto number = static_cast<int32_t>(c);
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      const auto isNearer = c == 0 ? distance[v] == distance[v] : distance[v] < least[v];
      least[v] = isNearer ? distance[v] : least[v];
      index[v] = isNearer ? broadcast(number) : index[v];
    }
  }
  for (size_t v = 0; v < vectors; ++v)
    store(nearest + v * lanes<int32_t>, index[v]);
}

} // namespace

void nearestCentroids(const float* descriptors, const float* centroids, uint32_t* histogram,
                      size_t count, size_t k) {
  std::fill(histogram, histogram + k, 0u);
  parallel((count + block - 1) / block, 1, [=](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t inBlock = std::min(block, count - b * block);
      float columns[dimensions][block];
      int32_t nearest[block];
      turn(descriptors + b * block * dimensions, inBlock, columns);
      findNearest(columns, centroids, k, nearest);
      for (size_t d = 0; d < inBlock; ++d)
        __atomic_fetch_add(&histogram[nearest[d]], 1u, __ATOMIC_RELAXED);
    }
  });
}

} // namespace quern::bench::host
