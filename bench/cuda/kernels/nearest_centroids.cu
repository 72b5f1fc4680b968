#include "common.cuh"

#define DIMENSIONS 64
#define GROUP 64

// The nearest centroid to the descriptor that `component` gives.
template <typename Component>
__device__ uint nearestOf(const float* centroids, uint k, Component component) {
  uint nearest = 0;
  float least = INFINITE;
  for (uint c = 0; c < k; ++c) {
    float distance = 0;
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float difference = component(i) - centroids[c * DIMENSIONS + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  return nearest;
}

KERNEL structures(const float* descriptors, const float* centroids, uint* histogram, uint count,
                  uint k) {
  uint d = globalId();
  if (d < count)
    atomicAdd(&histogram[nearestOf(centroids, k,
                                   [=](uint i) { return descriptors[d * DIMENSIONS + i]; })],
              1u);
}

KERNEL transposed(const float* descriptors, const float* centroids, uint* histogram, uint count,
                  uint k) {
  uint d = globalId();
  if (d < count)
    atomicAdd(
        &histogram[nearestOf(centroids, k, [=](uint i) { return descriptors[i * count + d]; })],
        1u);
}

KERNEL transposed_vector(const float* descriptors, const float* centroids, uint* histogram,
                         uint count, uint k) {
  uint d = globalId();
  if (d * 4 >= count)
    return;
  uint nearest[4] = {};
  float least[4] = {INFINITE, INFINITE, INFINITE, INFINITE};
  for (uint c = 0; c < k; ++c) {
    float distance[4] = {};
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float4 four = reinterpret_cast<const float4*>(descriptors + i * count)[d];
      float centroid = centroids[c * DIMENSIONS + i];
      float difference[] = {four.x - centroid, four.y - centroid, four.z - centroid,
                            four.w - centroid};
#pragma unroll
      for (int e = 0; e < 4; ++e)
        distance[e] += difference[e] * difference[e];
    }
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (distance[e] < least[e]) {
        least[e] = distance[e];
        nearest[e] = c;
      }
  }
#pragma unroll
  for (int e = 0; e < 4; ++e)
    atomicAdd(&histogram[nearest[e]], 1u);
}

__device__ void staged(const float* descriptors, const float* centroids, uint* histogram,
                       uint count, uint k) {
  __shared__ float mine[DIMENSIONS][GROUP];
  uint d = globalId(), me = threadIdx.x;
  if (d >= count)
    return;
  for (uint i = 0; i < DIMENSIONS; ++i)
    mine[i][me] = descriptors[i * count + d];
  atomicAdd(&histogram[nearestOf(centroids, k, [=](uint i) { return mine[i][me]; })], 1u);
}

KERNEL __launch_bounds__(GROUP)
    transposed_local(const float* descriptors, const float* centroids, uint* histogram, uint count,
                     uint k) {
  staged(descriptors, centroids, histogram, count, k);
}

KERNEL __launch_bounds__(GROUP)
    transposed_local_constant(const float* descriptors, const float* __restrict__ centroids,
                              uint* histogram, uint count, uint k) {
  staged(descriptors, centroids, histogram, count, k);
}

#define TURN 16

KERNEL __launch_bounds__(TURN* TURN)
    transpose(const float* in, float* out, uint rows, uint columns) {
  __shared__ float tile[TURN][TURN + 1];
  uint x = blockIdx.x * TURN + threadIdx.x, y = blockIdx.y * TURN + threadIdx.y;
  if (x < columns && y < rows)
    tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * TURN + threadIdx.x;
  y = blockIdx.x * TURN + threadIdx.y;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
