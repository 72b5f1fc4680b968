#include "common.cuh"

// Of SIZE threads, at most a block of 1024: first within each warp, then over what the warps found.
constexpr uint warpSize_ = 32, warps = (SIZE + warpSize_ - 1) / warpSize_;
constexpr uint lanes = SIZE < warpSize_ ? SIZE : warpSize_;
constexpr uint everyLane = lanes == warpSize_ ? ~0u : (1u << lanes) - 1;

__device__ inline int scanOfWarp(int value) {
  const uint lane = threadIdx.x % warpSize_;
  for (uint distance = 1; distance < lanes; distance *= 2) {
    const int before = __shfl_up_sync(everyLane, value, distance);
    if (lane >= distance)
      value += before;
  }
  return value;
}

KERNEL sum(const int* in, int* out) {
  const uint i = globalId();
  int total = __reduce_add_sync(everyLane, in[i]);
  if (warps > 1) {
    __shared__ int totals[warps];
    if (threadIdx.x % warpSize_ == 0)
      totals[threadIdx.x / warpSize_] = total;
    __syncthreads();
    total = 0;
    for (uint warp = 0; warp < warps; ++warp)
      total += totals[warp];
  }
  out[i] = total;
}

KERNEL scan(const int* in, int* out) {
  const uint i = globalId();
  int value = scanOfWarp(in[i]);
  if (warps > 1) {
    __shared__ int totals[warps];
    if (threadIdx.x % warpSize_ == warpSize_ - 1)
      totals[threadIdx.x / warpSize_] = value;
    __syncthreads();
    for (uint warp = 0; warp < warps; ++warp)
      value += warp < threadIdx.x / warpSize_ ? totals[warp] : 0;
  }
  out[i] = value;
}

KERNEL broadcast(const int* in, int* out) {
  __shared__ int chosen;
  const uint i = globalId();
  const int own = in[i];
  if (threadIdx.x == SIZE / 3)
    chosen = own;
  __syncthreads();
  out[i] = own - chosen;
}

KERNEL find_any(const int* in, int* out) {
  const uint i = globalId();
  out[i] = __syncthreads_or(in[i] == 0);
}
