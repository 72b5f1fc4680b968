#include "common.cuh"

KERNEL mdh_simple(const float* atomX, const float* atomY, const float* atomZ, const float* charge,
                  const float* radius, uint atoms, const float* gridX, const float* gridY,
                  const float* gridZ, float* potential, uint points, float kappa, float pre) {
  uint i = globalId();
  if (i >= points)
    return;
  float sum = 0;
  for (uint j = 0; j < atoms; ++j) {
    float dx = gridX[i] - atomX[j];
    float dy = gridY[i] - atomY[j];
    float dz = gridZ[i] - atomZ[j];
    float distance = sqrtf(dx * dx + dy * dy + dz * dz);
    sum +=
        charge[j] / distance * expf(-kappa * (distance - radius[j])) / (1.0f + kappa * radius[j]);
  }
  potential[i] = pre * sum;
}

#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef BLOCK
#define BLOCK 64
#endif

__device__ void load(float* to, const float* from, uint i) {
#pragma unroll
  for (int k = 0; k < WIDTH; k += 4)
    *reinterpret_cast<float4*>(to + k) = reinterpret_cast<const float4*>(from)[i * WIDTH / 4 + k / 4];
}

KERNEL __launch_bounds__(BLOCK)
    mdh_local(const float* atomX, const float* atomY, const float* atomZ, const float* charge,
              const float* radius, uint atoms, const float* gridX, const float* gridY,
              const float* gridZ, float* potential, uint points, float kappa, float pre) {
  __shared__ float4 atom[BLOCK];
  uint i = globalId(), me = threadIdx.x;
  __align__(16) float x[WIDTH], y[WIDTH], z[WIDTH], sum[WIDTH] = {};
  load(x, gridX, i);
  load(y, gridY, i);
  load(z, gridZ, i);
  for (uint first = 0; first < atoms; first += BLOCK) {
    uint block = min((uint)BLOCK, atoms - first);
    if (me < block) {
      uint j = first + me;
      float weight = charge[j] * expf(kappa * radius[j]) / (1.0f + kappa * radius[j]);
      atom[me] = make_float4(atomX[j], atomY[j], atomZ[j], weight);
    }
    __syncthreads();
    for (uint j = 0; j < block; ++j) {
#pragma unroll
      for (int k = 0; k < WIDTH; ++k) {
        float dx = x[k] - atom[j].x, dy = y[k] - atom[j].y, dz = z[k] - atom[j].z;
        float distance = sqrtf(dx * dx + dy * dy + dz * dz);
        sum[k] += atom[j].w / distance * expf(-kappa * distance);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < WIDTH; k += 4)
    reinterpret_cast<float4*>(potential)[i * WIDTH / 4 + k / 4] =
        make_float4(pre * sum[k], pre * sum[k + 1], pre * sum[k + 2], pre * sum[k + 3]);
}
