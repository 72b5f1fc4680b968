#include "common.cuh"

KERNEL ripple(float* vertices, const float2* __restrict__ centres, const float* __restrict__ start,
              uint drops, float time, float amplitude, float decay, float speed, float width,
              float wave) {
  float* vertex = vertices + globalId() * 3;
  float x = vertex[0], y = vertex[1], height = 0;
  for (uint c = 0; c < drops; ++c) {
    float age = time - start[c];
    if (age <= 0)
      continue;
    float dx = x - centres[c].x, dy = y - centres[c].y;
    float lag = sqrtf(dx * dx + dy * dy) - speed * age;
    float packet = lag / width;
    height += amplitude * expf(-decay * age) * expf(-packet * packet) * cosf(wave * lag);
  }
  vertex[2] = height;
}
