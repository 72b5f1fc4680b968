#include "elementwise.h"
#include "host.h"
#include "team.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace quern::bench::host {

void zoom(float* coordinates, size_t count, size_t frames) {
  for (size_t frame = 0; frame < frames; ++frame)
    parallel(count, elementGrain, [=](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        coordinates[i] *= 1.01f;
    });
}

namespace {

/// A drop that has fallen, and what does not depend on the vertex.
struct Ring {
  float x, y, radius, height;
};

std::vector<Ring> ringsOf(const Waves& waves, float time) {
  std::vector<Ring> rings;
  for (size_t c = 0; c < waves.drops; ++c)
    if (const float age = time - waves.start[c]; age > 0)
      rings.push_back({waves.centres[2 * c], waves.centres[2 * c + 1], waves.speed * age,
                       waves.amplitude * std::exp(-waves.decay * age)});
  return rings;
}

} // namespace

// Blocks of vertices in the inner loop: the compiler computes as many at once as a vector register
// holds.
void ripple(float* vertices, size_t count, const Waves& waves, float time) {
  constexpr size_t block = 64;
  const std::vector<Ring> rings = ringsOf(waves, time);
  parallel((count + block - 1) / block, 1, [=, &rings](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const size_t first = b * block, size = std::min(block, count - first);
      float x[block] = {}, y[block] = {}, height[block] = {};
      for (size_t i = 0; i < size; ++i) {
        x[i] = vertices[3 * (first + i)];
        y[i] = vertices[3 * (first + i) + 1];
      }
      for (const Ring& ring : rings)
        for (size_t i = 0; i < block; ++i) {
          const float dx = x[i] - ring.x, dy = y[i] - ring.y;
          const float lag = std::sqrt(dx * dx + dy * dy) - ring.radius;
          const float packet = lag / waves.width;
          height[i] += ring.height * std::exp(-packet * packet) * std::cos(waves.wave * lag);
        }
      for (size_t i = 0; i < size; ++i)
        vertices[3 * (first + i) + 2] = height[i];
    }
  });
}

} // namespace quern::bench::host
