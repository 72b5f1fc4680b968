// The reference for the matrix programs: the host's own product, in double precision.
#pragma once

#include "gallery.h"

/// A (m rows, k columns) times B (k rows, n columns). The loop order walks along rows, which the
/// host's caches like.
inline std::vector<double> hostProduct(size_t m, size_t n, size_t k, const std::vector<float>& a,
                                       const std::vector<float>& b) {
  std::vector<double> c(m * n);
  gallery::onAllCores(m, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (size_t i = 0; i < k; ++i)
        for (size_t column = 0; column < n; ++column)
          c[row * n + column] += static_cast<double>(a[row * k + i]) * b[i * n + column];
  });
  return c;
}
