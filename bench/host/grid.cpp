#include "host.h"
#include "team.h"

#include <algorithm>

namespace quern::bench::host {

void stencil(const float* in, float* out, size_t columns, size_t rows) {
  parallel(rows, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const float* own = in + row * columns;
      float* result = out + row * columns;
      std::copy(own, own + columns, result);
      if (row == 0 || row == rows - 1)
        continue;
      for (size_t x = 1; x < columns - 1; ++x)
        result[x] =
            0.2f * (own[x] + own[x - 1] + own[x + 1] + (own - columns)[x] + (own + columns)[x]);
    }
  });
}

void multiplyRows(const SparseRows& matrix, const float* vector, float* result, size_t rows) {
  parallel(rows, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      float sum = 0;
      for (int32_t i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i)
        sum += matrix.values[i] * vector[matrix.columns[i]];
      result[row] = sum;
    }
  });
}

// Eight vectors' worth of numbers in the inner loop: one chain of operations would wait for itself.
void mixBits(const int32_t* in, int32_t* out, size_t count, uint32_t rounds) {
  constexpr size_t block = 128;
  parallel((count + block - 1) / block, [=](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t first = b * block, size = std::min(block, count - first);
      uint32_t x[block] = {};
      std::copy(in + first, in + first + size, x);
      for (uint32_t round = 0; round < rounds; ++round)
        for (uint32_t& value : x) {
          value ^= value << 13;
          value ^= value >> 17;
          value ^= value << 5;
          value = (value << 7 | value >> 25) + 0x9e3779b9u;
        }
      std::copy(x, x + size, out + first);
    }
  });
}

} // namespace quern::bench::host
