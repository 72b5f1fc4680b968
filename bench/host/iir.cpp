#include "host.h"
#include "team.h"
#include "vectors.h"

#include <algorithm>

namespace quern::bench::host {
namespace {

constexpr size_t taps = 16;
constexpr size_t grain = 1024;

float output(const float* x, const float* a, const float* b, const float* previous, size_t n) {
  float sum = 0;
  for (size_t i = 0; i < taps && i <= n; ++i)
    sum += a[i] * x[n - i];
  for (size_t j = 0; j < taps && j + 1 <= n; ++j)
    sum -= b[j] * previous[n - j - 1];
  return sum;
}

/// The vectors that end at a place, at the one a vector before, and so on: what all taps of the
/// outputs there need.
struct Window {
  explicit Window(const float* end) {
#pragma GCC unroll 16
    for (size_t v = 0; v <= taps / lanes<float>; ++v)
      vectors[v] = load(end - v * lanes<float>);
  }

  /// The vector that ends `tap` elements earlier.
  template <size_t tap> Vector<float> earlier() const {
    constexpr size_t vector = tap / lanes<float>, shift = tap % lanes<float>;
    constexpr auto order = [] {
      std::array<int32_t, lanes<float>> from = {};
      for (size_t i = 0; i < from.size(); ++i)
        from[i] = static_cast<int32_t>(i + from.size() - shift);
      return from;
    }();
    if constexpr (shift == 0)
      return vectors[vector];
    else
      return picked<float>(vectors[vector + 1], vectors[vector], order);
  }

  Vector<float> vectors[taps / lanes<float> + 1];
};

template <size_t... tap>
Vector<float> weighted(const Window& window, const float* weights, std::index_sequence<tap...>) {
  return ((window.template earlier<tap>() * weights[tap]) + ...);
}

/// A vector of outputs, all of which have all their predecessors.
Vector<float> outputs(const float* x, const float* a, const float* b, const float* previous,
                      size_t n) {
  constexpr auto all = std::make_index_sequence<taps>();
  return weighted(Window(x + n), a, all) - weighted(Window(previous + n - 1), b, all);
}

} // namespace

void iir(const float* x, const float* a, const float* b, float* y, float* other, size_t count,
         size_t passes) {
  // The last pass must end in y.
  float* previous = passes % 2 ? other : y;
  float* next = passes % 2 ? y : other;
  std::fill(previous, previous + count, 0.0f);
  for (size_t pass = 0; pass < passes; ++pass) {
    parallel(count, grain, [=](size_t begin, size_t end) {
      const auto one = [=](size_t n) { return output(x, a, b, previous, n); };
      const auto many = [=](size_t n) { return outputs(x, a, b, previous, n); };
      const size_t first = std::clamp(taps + 1, begin, end);
      std::generate(next + begin, next + first, [n = begin, one]() mutable { return one(n++); });
      fill(next, first, end, false, many, one);
    });
    std::swap(previous, next);
  }
}

} // namespace quern::bench::host
