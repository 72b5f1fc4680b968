#include "common.cuh"

KERNEL stencil(const float* in, float* out, int columns, int rows) {
  const int x = globalId(), y = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = y * columns + x;
  if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1)
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - columns] + in[i + columns]);
  else
    out[i] = in[i];
}

KERNEL transpose_tiles(const float* in, float* out, int edge) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
  tile[y][x] = in[(top + y) * edge + left + x];
  __syncthreads();
  out[(left + y) * edge + top + x] = tile[x][y];
}
