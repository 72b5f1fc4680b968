#include "host.h"
#include "team.h"

#include <algorithm>

namespace quern::bench::host {
namespace {

// A block of B of 64 rows and 1,024 columns stays in the second-level cache while all rows of A
// pass by.
constexpr size_t depthBlock = 64;
constexpr size_t columnBlock = 1024;

struct Range {
  size_t begin, end;
};

/// Adds the block's products to four neighbouring rows of C: each value of B serves four sums.
void fourRows(const float* a, const float* b, float* c, size_t n, size_t k, Range depth,
              Range columns) {
  float* __restrict c0 = c;
  float* __restrict c1 = c + n;
  float* __restrict c2 = c + 2 * n;
  float* __restrict c3 = c + 3 * n;
  for (size_t i = depth.begin; i < depth.end; ++i) {
    const float a0 = a[i];
    const float a1 = a[k + i];
    const float a2 = a[2 * k + i];
    const float a3 = a[3 * k + i];
    const float* __restrict row = b + i * n;
    for (size_t j = columns.begin; j < columns.end; ++j) {
      c0[j] += a0 * row[j];
      c1[j] += a1 * row[j];
      c2[j] += a2 * row[j];
      c3[j] += a3 * row[j];
    }
  }
}

void oneRow(const float* a, const float* b, float* __restrict c, size_t n, Range depth,
            Range columns) {
  for (size_t i = depth.begin; i < depth.end; ++i)
    for (size_t j = columns.begin; j < columns.end; ++j)
      c[j] += a[i] * b[i * n + j];
}

} // namespace

void matmul(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  parallel(m, [=](size_t begin, size_t end) {
    std::fill(c + begin * n, c + end * n, 0.0f);
    for (size_t column = 0; column < n; column += columnBlock)
      for (size_t i = 0; i < k; i += depthBlock) {
        const Range columns{column, std::min(column + columnBlock, n)};
        const Range depth{i, std::min(i + depthBlock, k)};
        size_t row = begin;
        for (; row + 4 <= end; row += 4)
          fourRows(a + row * k, b, c + row * n, n, k, depth, columns);
        for (; row < end; ++row)
          oneRow(a + row * k, b, c + row * n, n, depth, columns);
      }
  });
}

} // namespace quern::bench::host
