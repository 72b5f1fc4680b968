#include "host.h"
#include "team.h"

#include <cmath>

namespace quern::bench::host {

void zoom(float* coordinates, size_t count, size_t frames) {
  for (size_t frame = 0; frame < frames; ++frame)
    parallel(count, [=](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        coordinates[i] *= 1.01f;
    });
}

void ripple(float* vertices, size_t count, const Waves& waves, float time) {
  parallel(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      float height = 0;
      for (size_t c = 0; c < waves.drops; ++c) {
        const float age = time - waves.start[c];
        if (age <= 0)
          continue;
        const float dx = vertices[3 * i] - waves.centres[2 * c];
        const float dy = vertices[3 * i + 1] - waves.centres[2 * c + 1];
        const float lag = std::sqrt(dx * dx + dy * dy) - waves.speed * age;
        const float packet = lag / waves.width;
        height += waves.amplitude * std::exp(-waves.decay * age) * std::exp(-packet * packet) *
                  std::cos(waves.wave * lag);
      }
      vertices[3 * i + 2] = height;
    }
  });
}

} // namespace quern::bench::host
