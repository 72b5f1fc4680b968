#include "common.cuh"

KERNEL naive(const float* a, const float* b, float* c, uint m, uint n, uint k) {
  uint column = globalId(), row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (uint i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

#ifndef TILE
#define TILE 16
#endif

KERNEL __launch_bounds__(TILE* TILE)
    local_tiles(const float* a, const float* b, float* c, uint m, uint n, uint k) {
  __shared__ float aTile[TILE][TILE], bTile[TILE][TILE];
  uint x = threadIdx.x, y = threadIdx.y;
  uint column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    aTile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    bTile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += aTile[y][i] * bTile[i][x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// A work-group of WIDTH x 1 computes a tile of 16 x WIDTH.
template <uint WIDTH>
__device__ void wideTile(const float* a, const float* b, float* c, uint n, uint k) {
  __shared__ float aTile[16][16];
  uint x = threadIdx.x, column = blockIdx.x * WIDTH + x, row = blockIdx.y * 16;
  float sum[16] = {0};
  for (uint first = 0; first < k; first += 16) {
    for (uint r = x / 16; r < 16; r += WIDTH / 16)
      aTile[r][x % 16] = a[(row + r) * k + first + x % 16];
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      float value = b[(first + i) * n + column];
      for (int r = 0; r < 16; ++r)
        sum[r] += aTile[r][i] * value;
    }
    __syncthreads();
  }
  for (int r = 0; r < 16; ++r)
    c[(row + r) * n + column] = sum[r];
}

KERNEL __launch_bounds__(16)
    fast1(const float* a, const float* b, float* c, uint m, uint n, uint k) {
  wideTile<16>(a, b, c, n, k);
}
KERNEL __launch_bounds__(64)
    fast2(const float* a, const float* b, float* c, uint m, uint n, uint k) {
  wideTile<64>(a, b, c, n, k);
}
KERNEL __launch_bounds__(64)
    fast3(const float* a, const float* b, float* c, uint m, uint n, uint k) {
  wideTile<64>(a, b, c, n, k);
}
