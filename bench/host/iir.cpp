#include "host.h"
#include "team.h"

#include <algorithm>

namespace quern::bench::host {
namespace {

constexpr size_t taps = 16;

float output(const float* x, const float* a, const float* b, const float* previous, size_t n) {
  float sum = 0;
  for (size_t i = 0; i < taps && i <= n; ++i)
    sum += a[i] * x[n - i];
  for (size_t j = 0; j < taps && j + 1 <= n; ++j)
    sum -= b[j] * previous[n - j - 1];
  return sum;
}

/// As output, for an n that has all its predecessors: no conditions, so the compiler works on many
/// n at once.
void outputs(const float* x, const float* a, const float* b, const float* previous,
             float* __restrict y, size_t begin, size_t end) {
  for (size_t n = begin; n < end; ++n) {
    float sum = 0;
#pragma clang loop unroll(full)
    for (size_t i = 0; i < taps; ++i)
      sum += a[i] * x[n - i] - b[i] * previous[n - i - 1];
    y[n] = sum;
  }
}

} // namespace

void iir(const float* x, const float* a, const float* b, float* y, float* other, size_t count,
         size_t passes) {
  // The last pass must end in y.
  float* previous = passes % 2 ? other : y;
  float* next = passes % 2 ? y : other;
  std::fill(previous, previous + count, 0.0f);
  for (size_t pass = 0; pass < passes; ++pass) {
    parallel(count, [=](size_t begin, size_t end) {
      size_t n = begin;
      for (; n < end && n <= taps; ++n)
        next[n] = output(x, a, b, previous, n);
      outputs(x, a, b, previous, next, n, end);
    });
    std::swap(previous, next);
  }
}

} // namespace quern::bench::host
