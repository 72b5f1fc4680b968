// C = A B for row-major matrices: A has m rows and k columns, B k rows and n columns, C m rows and
// n columns. Five ways to write it, from the textbook's to the hand-tuned.

// NAIVE: one work-item per element of C, everything from global memory. Any m, n, k.
kernel void naive(global const float* a, global const float* b, global float* c, uint m, uint n,
                  uint k) {
  size_t column = get_global_id(0);
  size_t row = get_global_id(1);
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

// LOCAL: a work-group of TILE x TILE computes a tile of C. It walks along A's rows and B's columns
// in tiles that it first copies to local memory, so each value is read from global memory once per
// group. Any m, n, k: what lies outside a matrix counts as 0. All work-items reach both barriers,
// also those outside C.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
local_tiles(global const float* a, global const float* b, global float* c, uint m, uint n, uint k) {
  local float aTile[TILE][TILE];
  local float bTile[TILE][TILE];
  size_t x = get_local_id(0);
  size_t y = get_local_id(1);
  size_t column = get_global_id(0);
  size_t row = get_global_id(1);

  float sum = 0;
  for (uint first = 0; first < k; first += TILE) {
    aTile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    bTile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE); // the tiles are complete
    for (int i = 0; i < TILE; ++i)
      sum += aTile[y][i] * bTile[i][x];
    barrier(CLK_LOCAL_MEM_FENCE); // nobody needs them any more
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// FAST1: a work-group of 16 x 1 computes a tile of 16 x 16. Each work-item owns a column of the
// tile: 16 sums in registers. The tile of A lies in local memory, a value of B is read once and
// used for all 16 rows. m, n and k must be multiples of 16.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
fast1(global const float* a, global const float* b, global float* c, uint m, uint n, uint k) {
  local float aTile[16][16];
  size_t x = get_local_id(0);
  size_t column = get_group_id(0) * 16 + x;
  size_t row = get_group_id(1) * 16;

  float sum[16] = {0};
  for (uint first = 0; first < k; first += 16) {
    for (int r = 0; r < 16; ++r)
      aTile[r][x] = a[(row + r) * k + first + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) {
      float value = b[(first + i) * n + column];
      for (int r = 0; r < 16; ++r)
        sum[r] += aTile[r][i] * value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int r = 0; r < 16; ++r)
    c[(row + r) * n + column] = sum[r];
}

// FAST2: as FAST1 with a work-group of 64 x 1 and a tile of 16 x 64: each value of A serves 64
// columns, and the 64 work-items load A's tile together, four values each. n must be a multiple of
// 64, m and k of 16.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
fast2(global const float* a, global const float* b, global float* c, uint m, uint n, uint k) {
  local float aTile[16][16];
  size_t x = get_local_id(0);
  size_t column = get_group_id(0) * 64 + x;
  size_t row = get_group_id(1) * 16;

  float sum[16] = {0};
  for (uint first = 0; first < k; first += 16) {
    for (size_t r = x / 16; r < 16; r += 4)
      aTile[r][x % 16] = a[(row + r) * k + first + x % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) {
      float value = b[(first + i) * n + column];
      for (int r = 0; r < 16; ++r)
        sum[r] += aTile[r][i] * value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int r = 0; r < 16; ++r)
    c[(row + r) * n + column] = sum[r];
}

// FAST3: FAST2 with the inner loop written out, so that the 16 sums are 16 variables and stay in
// registers whatever the compiler does about loops and arrays.
#define EACH_ROW(DO)                                                                               \
  DO(0)                                                                                            \
  DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define DECLARE(r) float sum##r = 0;
#define MULTIPLY(r) sum##r += aTile[r][i] * value;
#define STORE(r) c[(row + r) * n + column] = sum##r;

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
fast3(global const float* a, global const float* b, global float* c, uint m, uint n, uint k) {
  local float aTile[16][16];
  size_t x = get_local_id(0);
  size_t column = get_group_id(0) * 64 + x;
  size_t row = get_group_id(1) * 16;

  EACH_ROW(DECLARE)
  for (uint first = 0; first < k; first += 16) {
    for (size_t r = x / 16; r < 16; r += 4)
      aTile[r][x % 16] = a[(row + r) * k + first + x % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) {
      float value = b[(first + i) * n + column];
      EACH_ROW(MULTIPLY)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  EACH_ROW(STORE)
}
