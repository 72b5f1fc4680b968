// Classical algorithms of a work-group. Local sizes and problem sizes come from the launch.

#define TILE 8

kernel void matmulTiled(global const float* a, global const float* b, global float* c, int n) {
  local float tileA[TILE][TILE], tileB[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    tileA[y][x] = a[row * n + t * TILE + x];
    tileB[y][x] = b[(t * TILE + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += tileA[y][k] * tileB[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel void transposeTiled(global const int* in, global int* out, int width, int height) {
  local int tile[TILE][TILE + 1];
  int x = get_global_id(0), y = get_global_id(1);
  tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int tx = get_group_id(1) * TILE + get_local_id(0), ty = get_group_id(0) * TILE + get_local_id(1);
  out[ty * height + tx] = tile[get_local_id(0)][get_local_id(1)];
}

kernel void reduceTree(global const int* in, global int* sums, local int* scratch) {
  size_t i = get_local_id(0);
  scratch[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    if (i < stride)
      scratch[i] += scratch[i + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0)
    sums[get_group_id(0)] = scratch[0];
}

// Inclusive scan of each group, Hillis and Steele's form: two arrays change roles in every step.
kernel void scanInclusive(global const int* in, global int* out, local int* a, local int* b) {
  size_t i = get_local_id(0), n = get_local_size(0);
  a[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t distance = 1; distance < n; distance *= 2) {
    b[i] = i >= distance ? a[i] + a[i - distance] : a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int* swap = a;
    a = b;
    b = swap;
  }
  out[get_global_id(0)] = a[i];
}

// Exclusive scan of twice as many elements as work-items, Blelloch's up and down sweeps.
kernel void scanExclusive(global const int* in, global int* out, local int* data) {
  size_t i = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n;
  data[2 * i] = in[base + 2 * i];
  data[2 * i + 1] = in[base + 2 * i + 1];
  size_t offset = 1;
  for (size_t d = n / 2; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < d)
      data[offset * (2 * i + 2) - 1] += data[offset * (2 * i + 1) - 1];
    offset *= 2;
  }
  if (i == 0)
    data[n - 1] = 0;
  for (size_t d = 1; d < n; d *= 2) {
    offset /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < d) {
      size_t left = offset * (2 * i + 1) - 1, right = offset * (2 * i + 2) - 1;
      int value = data[left];
      data[left] = data[right];
      data[right] += value;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * i] = data[2 * i];
  out[base + 2 * i + 1] = data[2 * i + 1];
}

kernel void sortBitonic(global int* keys, local int* l) {
  size_t i = get_local_id(0), n = get_local_size(0);
  l[i] = keys[get_global_id(0)];
  for (size_t size = 2; size <= n; size *= 2)
    for (size_t stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      size_t partner = i ^ stride;
      int mine = l[i], other = l[partner];
      bool ascending = (i & size) == 0;
      bool keepSmaller = (i < partner) == ascending;
      barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = keepSmaller ? min(mine, other) : max(mine, other);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[get_global_id(0)] = l[i];
}

kernel void histogram(global const uchar* data, int count, global uint* bins) {
  local uint counts[256];
  for (int b = get_local_id(0); b < 256; b += get_local_size(0))
    counts[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&counts[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < 256; b += get_local_size(0))
    if (counts[b])
      atomic_add(&bins[b], counts[b]);
}

// Five-point average over a tile with a border, several steps without leaving the group.
kernel void relax(global int* grid, int steps, local int* a) {
  int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
  int own = y * w + x, base = get_group_id(0) * w * h;
  a[own] = grid[base + own];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 0; s < steps; ++s) {
    int next = a[own];
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
      next = (a[own - 1] + a[own + 1] + a[own - w] + a[own + w] + 4 * a[own]) / 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[own] = next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  grid[base + own] = a[own];
}
