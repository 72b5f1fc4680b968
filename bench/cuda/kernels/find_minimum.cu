#include "common.cuh"

#include <cuda/atomic>

__device__ float group_minimum(float candidate, float* scratch) {
  uint me = threadIdx.x;
  scratch[me] = candidate;
  __syncthreads();
  for (uint active = blockDim.x; active > 1;) {
    uint remaining = (active + 1) / 2;
    if (me + remaining < active)
      scratch[me] = fminf(scratch[me], scratch[me + remaining]);
    __syncthreads();
    active = remaining;
  }
  return scratch[0];
}

__device__ float strided_minimum(const float* values, uint count) {
  float candidate = INFINITE;
  for (uint i = globalId(); i < count; i += globalSize())
    candidate = fminf(candidate, values[i]);
  return candidate;
}

KERNEL minimum(const float* values, uint count, float* results, uint scratch) {
  float least = group_minimum(strided_minimum(values, count), sharedAt<float>(scratch));
  if (threadIdx.x == 0)
    results[blockIdx.x] = least;
}

KERNEL minimum_single_launch(const float* values, uint count, float* results, uint scratchOffset,
                             uint* finished, float* least) {
  __shared__ bool amLast;
  float* scratch = sharedAt<float>(scratchOffset);
  uint me = threadIdx.x, groups = gridDim.x;
  float candidate = group_minimum(strided_minimum(values, count), scratch);
  if (me == 0) {
    results[blockIdx.x] = candidate;
    cuda::atomic_ref<uint, cuda::thread_scope_device> counter(*finished);
    amLast = counter.fetch_add(1, cuda::memory_order_acq_rel) + 1 == groups;
  }
  __syncthreads();
  if (amLast) {
    candidate = INFINITE;
    for (uint g = me; g < groups; g += blockDim.x)
      candidate = fminf(candidate, results[g]);
    candidate = group_minimum(candidate, scratch);
    if (me == 0)
      *least = candidate;
  }
}
