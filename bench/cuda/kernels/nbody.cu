#include "common.cuh"

__device__ void pull(float4 other, float4 own, float softening, float3& sum) {
  const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + softening);
  const float factor = other.w * inverse * inverse * inverse;
  sum.x += x * factor;
  sum.y += y * factor;
  sum.z += z * factor;
}

KERNEL nbody(const float4* positions, float4* accelerations, uint bodies, float softening) {
  const uint i = globalId();
  const float4 own = positions[i];
  float3 sum = {};
  for (uint j = 0; j < bodies; ++j)
    pull(positions[j], own, softening, sum);
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

KERNEL nbody_staged(const float4* positions, float4* accelerations, uint bodies, float softening,
                    uint stagedOffset) {
  float4* staged = sharedAt<float4>(stagedOffset);
  const uint i = globalId(), count = blockDim.x;
  const float4 own = positions[i];
  float3 sum = {};
  for (uint first = 0; first < bodies; first += count) {
    staged[threadIdx.x] = positions[first + threadIdx.x];
    __syncthreads();
    for (uint j = 0; j < count; ++j)
      pull(staged[j], own, softening, sum);
    __syncthreads();
  }
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0);
}
