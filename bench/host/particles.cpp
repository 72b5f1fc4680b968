#include "host.h"
#include "team.h"

#include <cmath>

namespace quern::bench::host {

// Blocks of bodies in the inner loop, as in the sum of mdh.cpp.
void gravity(const float* positions, float* accelerations, size_t bodies, float softening) {
  constexpr size_t block = 32;
  parallel((bodies + block - 1) / block, [=](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t first = b * block;
      const size_t count = bodies - first < block ? bodies - first : block;
      float own[3][block] = {}, sum[3][block] = {};
      for (size_t i = 0; i < count; ++i)
        for (size_t axis = 0; axis < 3; ++axis)
          own[axis][i] = positions[4 * (first + i) + axis];
      for (size_t j = 0; j < bodies; ++j) {
        const float* other = positions + 4 * j;
        for (size_t i = 0; i < block; ++i) {
          const float x = other[0] - own[0][i];
          const float y = other[1] - own[1][i];
          const float z = other[2] - own[2][i];
          const float inverse = 1 / std::sqrt(x * x + y * y + z * z + softening);
          const float pull = other[3] * inverse * inverse * inverse;
          sum[0][i] += x * pull;
          sum[1][i] += y * pull;
          sum[2][i] += z * pull;
        }
      }
      for (size_t i = 0; i < count; ++i) {
        for (size_t axis = 0; axis < 3; ++axis)
          accelerations[4 * (first + i) + axis] = sum[axis][i];
        accelerations[4 * (first + i) + 3] = 0;
      }
    }
  });
}

// As many neighbouring points at once as four vector registers hold, until all have left.
void mandelbrot(int32_t* iterations, size_t columns, size_t rows, float left, float top, float step,
                int32_t limit) {
  constexpr size_t block = 64;
  parallel(rows, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (size_t first = 0; first < columns; first += block) {
        const size_t count = columns - first < block ? columns - first : block;
        const float b = top + step * static_cast<float>(row);
        float a[block], x[block], y[block];
        int32_t counts[block] = {};
        for (size_t i = 0; i < block; ++i) {
          a[i] = x[i] = left + step * static_cast<float>(first + i);
          y[i] = b;
        }
        for (int32_t round = 0; round < limit; ++round) {
          int32_t inside = 0;
          for (size_t i = 0; i < block; ++i) {
            const int32_t stays = x[i] * x[i] + y[i] * y[i] <= 4.0f;
            const float next = x[i] * x[i] - y[i] * y[i] + a[i];
            y[i] = stays ? 2.0f * x[i] * y[i] + b : y[i];
            x[i] = stays ? next : x[i];
            counts[i] += stays;
            inside += stays;
          }
          if (inside == 0)
            break;
        }
        for (size_t i = 0; i < count; ++i)
          iterations[row * columns + first + i] = counts[i];
      }
  });
}

} // namespace quern::bench::host
