#pragma once

#include "vectors.h"

namespace quern::bench::host {

/// Rows and columns of a tile that registers hold.
constexpr size_t tileEdge = lanes<float>;

/// The order in which two rows, `distance` apart, take each other's blocks of so many elements: of
/// the first row, or the second.
template <size_t distance> constexpr std::array<int32_t, tileEdge> exchangeOrder(bool isSecond) {
  std::array<int32_t, tileEdge> order = {};
  for (size_t i = 0; i < tileEdge; ++i) {
    const bool isUpper = i & distance;
    const size_t from = isSecond ? (isUpper ? tileEdge + i : i + distance)
                                 : (isUpper ? tileEdge + i - distance : i);
    order[i] = static_cast<int32_t>(from);
  }
  return order;
}

/// Exchanges the off-diagonal quarters of each square of 2 * distance, then of the smaller ones
/// within: after Eklundh.
template <size_t distance = tileEdge / 2> void turnTile(Vector<float> (&rows)[tileEdge]) {
  constexpr std::array<int32_t, tileEdge> first = exchangeOrder<distance>(false);
  constexpr std::array<int32_t, tileEdge> second = exchangeOrder<distance>(true);
#pragma GCC unroll 16
  for (size_t i = 0; i < tileEdge; ++i)
    if ((i & distance) == 0) {
      const Vector<float> upper = rows[i], lower = rows[i + distance];
      rows[i] = picked<float>(upper, lower, first);
      rows[i + distance] = picked<float>(upper, lower, second);
    }
  if constexpr (distance > 1)
    turnTile<distance / 2>(rows);
}

/// Transposes a tile from rows that are `inStride` apart to rows that are `outStride` apart.
inline void transposeTile(const float* in, size_t inStride, float* out, size_t outStride) {
  Vector<float> rows[tileEdge];
#pragma GCC unroll 16
  for (size_t i = 0; i < tileEdge; ++i)
    rows[i] = load(in + i * inStride);
  turnTile(rows);
#pragma GCC unroll 16
  for (size_t i = 0; i < tileEdge; ++i)
    store(out + i * outStride, rows[i]);
}

} // namespace quern::bench::host
