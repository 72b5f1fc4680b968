#include "host.h"
#include "team.h"

#include <algorithm>

namespace quern::bench::host {

// Rows of A and C in fours, so that each value of B serves four sums; columns in blocks, so that
// the four rows of C stay in the first-level cache.
void matmul(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  constexpr size_t rows = 4;
  constexpr size_t block = 1024;
  parallel((m + rows - 1) / rows, [=](size_t begin, size_t end) {
    for (size_t group = begin; group < end; ++group) {
      const size_t first = group * rows;
      for (size_t column = 0; column < n; column += block) {
        const size_t last = std::min(column + block, n);
        for (size_t row = first; row < std::min(first + rows, m); ++row)
          std::fill(c + row * n + column, c + row * n + last, 0.0f);
        if (first + rows <= m) {
          float* __restrict c0 = c + first * n;
          float* __restrict c1 = c0 + n;
          float* __restrict c2 = c1 + n;
          float* __restrict c3 = c2 + n;
          for (size_t i = 0; i < k; ++i) {
            const float a0 = a[first * k + i];
            const float a1 = a[(first + 1) * k + i];
            const float a2 = a[(first + 2) * k + i];
            const float a3 = a[(first + 3) * k + i];
            const float* __restrict row = b + i * n;
            for (size_t j = column; j < last; ++j) {
              c0[j] += a0 * row[j];
              c1[j] += a1 * row[j];
              c2[j] += a2 * row[j];
              c3[j] += a3 * row[j];
            }
          }
        } else {
          for (size_t row = first; row < m; ++row)
            for (size_t i = 0; i < k; ++i)
              for (size_t j = column; j < last; ++j)
                c[row * n + j] += a[row * k + i] * b[i * n + j];
        }
      }
    }
  });
}

} // namespace quern::bench::host
