#include "host.h"
#include "team.h"

#include <algorithm>

namespace quern::bench::host {

void transpose(const float* in, float* out, size_t rows, size_t columns) {
  constexpr size_t tile = 16;
  parallel((rows + tile - 1) / tile, [=](size_t begin, size_t end) {
    for (size_t group = begin; group < end; ++group) {
      const size_t lastRow = std::min((group + 1) * tile, rows);
      for (size_t left = 0; left < columns; left += tile)
        for (size_t column = left; column < std::min(left + tile, columns); ++column)
          for (size_t row = group * tile; row < lastRow; ++row)
            out[column * rows + row] = in[row * columns + column];
    }
  });
}

void nearestCentroids(const float* descriptors, const float* centroids, uint32_t* histogram,
                      size_t count, size_t k) {
  constexpr size_t dimensions = 64;
  std::fill(histogram, histogram + k, 0u);
  parallel(count, [=](size_t begin, size_t end) {
    for (size_t d = begin; d < end; ++d) {
      size_t nearest = 0;
      float least = 0;
      for (size_t c = 0; c < k; ++c) {
        float distance = 0;
        for (size_t i = 0; i < dimensions; ++i) {
          const float difference = descriptors[d * dimensions + i] - centroids[c * dimensions + i];
          distance += difference * difference;
        }
        if (c == 0 || distance < least) {
          least = distance;
          nearest = c;
        }
      }
      __atomic_fetch_add(&histogram[nearest], 1u, __ATOMIC_RELAXED);
    }
  });
}

} // namespace quern::bench::host
