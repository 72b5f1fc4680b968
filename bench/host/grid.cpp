#include "host.h"
#include "team.h"
#include "vectors.h"

#include <algorithm>

namespace quern::bench::host {

void stencil(const float* in, float* out, size_t columns, size_t rows) {
  const bool streams = exceedsCaches(2 * columns * rows * sizeof(float));
  parallel(rows, 4, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const float* own = in + row * columns;
      float* result = out + row * columns;
      if (row == 0 || row == rows - 1) {
        std::copy(own, own + columns, result);
        continue;
      }
      const float* above = own - columns;
      const float* below = own + columns;
      result[0] = own[0];
      fill(
          result, 1, columns - 1, streams,
          [=](size_t x) {
            return 0.2f * (load(own + x) + load(own + x - 1) + load(own + x + 1) + load(above + x) +
                           load(below + x));
          },
          [=](size_t x) {
            return 0.2f * (own[x] + own[x - 1] + own[x + 1] + above[x] + below[x]);
          });
      result[columns - 1] = own[columns - 1];
    }
  });
}

void multiplyRows(const SparseRows& matrix, const float* vector, float* result, size_t rows) {
  parallel(rows, 64, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      // Single loads are as fast as vectors of them from all over. Four sums do not wait for each
      // other.
      float sum[4] = {};
      int32_t i = matrix.starts[row];
      const int32_t last = matrix.starts[row + 1];
      for (; i + 4 <= last; i += 4)
        for (int32_t s = 0; s < 4; ++s)
          sum[s] += matrix.values[i + s] * vector[matrix.columns[i + s]];
      for (; i < last; ++i)
        sum[0] += matrix.values[i] * vector[matrix.columns[i]];
      result[row] = sum[0] + sum[1] + sum[2] + sum[3];
    }
  });
}

// Eight vectors at a time: one chain of operations would wait for itself.
void mixBits(const int32_t* in, int32_t* out, size_t count, uint32_t rounds) {
  constexpr size_t vectors = 8, block = vectors * lanes<uint32_t>;
  parallel((count + block - 1) / block, 8, [=](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t first = b * block, size = std::min(block, count - first);
      uint32_t numbers[block] = {};
      std::copy(in + first, in + first + size, numbers);
      Vector<uint32_t> x[vectors];
#pragma GCC unroll 8
      for (size_t v = 0; v < vectors; ++v)
        x[v] = load(numbers + v * lanes<uint32_t>);
      for (uint32_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 8
        for (Vector<uint32_t>& value : x) {
          value ^= value << 13;
          value ^= value >> 17;
          value ^= value << 5;
          value = (value << 7 | value >> 25) + 0x9e3779b9u;
        }
      }
#pragma GCC unroll 8
      for (size_t v = 0; v < vectors; ++v)
        store(numbers + v * lanes<uint32_t>, x[v]);
      std::copy(numbers, numbers + size, out + first);
    }
  });
}

} // namespace quern::bench::host
