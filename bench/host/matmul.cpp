#include "host.h"
#include "team.h"
#include "vectors.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace quern::bench::host {
namespace {

/// A tile of C that stays in registers: rows of two vectors, as many as leave room for two vectors
/// of B and a value of A.
constexpr size_t tileRows = (vectorRegisters - 4) / 2;
constexpr size_t tileColumns = 2 * lanes<float>;
/// Steps along the products' sums that are taken at a time. What a tile needs of B for them is half
/// of a first-level cache.
constexpr size_t depth = 128;
/// Rows of C that a thread computes at a time. What they need of A stays in the second-level cache.
constexpr size_t blockRows = 8 * tileRows;

struct FreeAligned {
  void operator()(float* memory) const { std::free(memory); }
};
using Packed = std::unique_ptr<float[], FreeAligned>;

Packed packedMemory(size_t count) {
  const size_t bytes = (count * sizeof(float) + vectorBytes - 1) / vectorBytes * vectorBytes;
  return Packed(static_cast<float*>(std::aligned_alloc(vectorBytes, bytes)));
}

/// Strips of B, tileColumns wide and `steps` rows long, one after the other; zeros beyond its edge.
void packColumns(const float* b, size_t n, size_t steps, size_t firstStrip, size_t lastStrip,
                 float* packed) {
  for (size_t strip = firstStrip; strip < lastStrip; ++strip) {
    const size_t width = std::min(tileColumns, n - strip * tileColumns);
    float* to = packed + strip * tileColumns * depth;
    for (size_t step = 0; step < steps; ++step, to += tileColumns) {
      std::copy_n(b + step * n + strip * tileColumns, width, to);
      std::fill(to + width, to + tileColumns, 0.0f);
    }
  }
}

/// Strips of A, tileRows high, column after column; zeros beyond its edge.
void packRows(const float* a, size_t k, size_t rows, size_t steps, float* packed) {
  for (size_t top = 0; top < rows; top += tileRows, packed += tileRows * depth)
    for (size_t row = 0; row < tileRows; ++row)
      for (size_t step = 0; step < steps; ++step)
        packed[step * tileRows + row] = top + row < rows ? a[(top + row) * k + step] : 0.0f;
}

/// Adds the products of a strip of A and a strip of B to a tile of C, or sets it to them.
void multiplyTile(const float* a, const float* b, size_t steps, float* c, size_t n, size_t rows,
                  size_t columns, bool adds) {
  Vector<float> sum[tileRows][2];
#pragma GCC unroll 16
  for (auto& row : sum)
    row[0] = row[1] = Vector<float>{};
  for (size_t step = 0; step < steps; ++step, a += tileRows, b += tileColumns) {
    const Vector<float> left = load(b), right = load(b + lanes<float>);
#pragma GCC unroll 16
    for (size_t row = 0; row < tileRows; ++row) {
      sum[row][0] += left * a[row];
      sum[row][1] += right * a[row];
    }
  }
  float tile[tileRows][tileColumns];
#pragma GCC unroll 16
  for (size_t row = 0; row < tileRows; ++row) {
    store(tile[row], sum[row][0]);
    store(tile[row] + lanes<float>, sum[row][1]);
  }
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      c[row * n + column] = tile[row][column] + (adds ? c[row * n + column] : 0.0f);
}

} // namespace

void matmul(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  const size_t strips = (n + tileColumns - 1) / tileColumns;
  const Packed columns = packedMemory(strips * tileColumns * depth);
  // Small matrices in smaller blocks, so that there is one for each thread.
  const size_t blocks = std::max((m + blockRows - 1) / blockRows, 4 * threadCount());
  const size_t height =
      std::clamp((m / blocks + tileRows - 1) / tileRows * tileRows, tileRows, blockRows);
  for (size_t first = 0; first < k; first += depth) {
    const size_t steps = std::min(depth, k - first);
    parallel(strips, 1, [&](size_t begin, size_t end) {
      packColumns(b + first * n, n, steps, begin, end, columns.get());
    });
    parallel((m + height - 1) / height, 1, [&](size_t begin, size_t end) {
      const Packed rows = packedMemory(blockRows * depth);
      for (size_t top = begin * height; top < std::min(end * height, m); top += height) {
        const size_t bottom = std::min(top + height, m);
        packRows(a + top * k + first, k, bottom - top, steps, rows.get());
        for (size_t strip = 0; strip < strips; ++strip)
          for (size_t row = top; row < bottom; row += tileRows)
            multiplyTile(rows.get() + (row - top) * depth,
                         columns.get() + strip * tileColumns * depth, steps,
                         c + row * n + strip * tileColumns, n, std::min(tileRows, bottom - row),
                         std::min(tileColumns, n - strip * tileColumns), first > 0);
      }
    });
  }
}

} // namespace quern::bench::host
