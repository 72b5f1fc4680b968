#include "host.h"
#include "team.h"
#include "vectors.h"

#include <algorithm>

namespace quern::bench::host {

namespace {

/// Vectors of bodies, or of a row's points, at a time: one chain of operations would wait for
/// itself.
constexpr size_t vectors = 4, points = vectors * lanes<float>;

/// The three axes of as many bodies.
using Axes = Vector<float>[3][vectors];

/// Adds the pull of one body to the accelerations of others.
void addPull(const float* other, float softening, const Axes& own, Axes& sum) {
#pragma GCC unroll 4
  for (size_t v = 0; v < vectors; ++v) {
    const Vector<float> x = other[0] - own[0][v];
    const Vector<float> y = other[1] - own[1][v];
    const Vector<float> z = other[2] - own[2][v];
    const Vector<float> inverse = inverseRoot(x * x + y * y + z * z + softening);
    const Vector<float> pull = other[3] * inverse * inverse * inverse;
    sum[0][v] += x * pull;
    sum[1][v] += y * pull;
    sum[2][v] += z * pull;
  }
}

} // namespace

void gravity(const float* positions, float* accelerations, size_t bodies, float softening) {
  parallel((bodies + points - 1) / points, 1, [=](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t first = b * points, count = std::min(points, bodies - first);
      float places[3][points] = {};
      for (size_t i = 0; i < count; ++i)
        for (size_t axis = 0; axis < 3; ++axis)
          places[axis][i] = positions[4 * (first + i) + axis];
      Axes own, sum;
#pragma GCC unroll 3
      for (size_t axis = 0; axis < 3; ++axis)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v) {
          own[axis][v] = load(places[axis] + v * lanes<float>);
          sum[axis][v] = Vector<float>{};
        }
      for (size_t j = 0; j < bodies; ++j)
        addPull(positions + 4 * j, softening, own, sum);
#pragma GCC unroll 3
      for (size_t axis = 0; axis < 3; ++axis)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v)
          store(places[axis] + v * lanes<float>, sum[axis][v]);
      for (size_t i = 0; i < count; ++i) {
        for (size_t axis = 0; axis < 3; ++axis)
          accelerations[4 * (first + i) + axis] = places[axis][i];
        accelerations[4 * (first + i) + 3] = 0;
      }
    }
  });
}

namespace {

/// Rounds between one look whether all points have left and the next.
constexpr int32_t roundsAtOnce = 4;

/// Neighbouring points of a row.
struct Points {
  Vector<float> a[vectors], x[vectors], y[vectors];
  Vector<int32_t> inside[vectors], counts[vectors]; ///< all bits set for a point that is inside

  void step(float b) {
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      const Vector<float> xx = x[v] * x[v], yy = y[v] * y[v];
      inside[v] &= xx + yy <= 4.0f;
      counts[v] -= inside[v];
      y[v] = 2.0f * x[v] * y[v] + b;
      x[v] = xx - yy + a[v];
    }
  }

  bool haveLeft() const {
    Vector<int32_t> any = inside[0] | inside[1] | inside[2] | inside[3];
    int64_t words[vectorBytes / sizeof(int64_t)], all = 0;
    std::memcpy(words, &any, sizeof any);
    for (const int64_t word : words)
      all |= word;
    return all == 0;
  }
};

} // namespace

void mandelbrot(int32_t* iterations, size_t columns, size_t rows, float left, float top, float step,
                int32_t limit) {
  parallel(rows, 1, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (size_t first = 0; first < columns; first += points) {
        const float b = top + step * static_cast<float>(row);
        Points p;
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v) {
          float places[lanes<float>];
          for (size_t lane = 0; lane < lanes<float>; ++lane)
            places[lane] = left + step * static_cast<float>(first + v * lanes<float> + lane);
          p.a[v] = p.x[v] = load(places);
          p.y[v] = broadcast(b);
          p.inside[v] = Vector<int32_t>{} - 1;
          p.counts[v] = Vector<int32_t>{};
        }
        for (int32_t round = 0; round < limit && !p.haveLeft();) {
          const int32_t last = std::min(round + roundsAtOnce, limit);
          for (; round < last; ++round)
            p.step(b);
        }
        int32_t counts[points];
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v)
          store(counts + v * lanes<int32_t>, p.counts[v]);
        std::copy_n(counts, std::min(points, columns - first), iterations + row * columns + first);
      }
  });
}

} // namespace quern::bench::host
