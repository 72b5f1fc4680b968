// The "bag of words" step of image search: for each 64-dimensional descriptor the nearest of k
// centroids by squared distance, counted in a histogram. The five kernels differ only in where the
// data lies and how it is read. Of centroids at the same distance the first one wins.

#define DIMENSIONS 64
#define GROUP 64

// 1. Array of structures: descriptor d is 64 neighbouring floats. Neighbouring work-items read far
// apart.
kernel void structures(global const float* descriptors, global const float* centroids,
                       global uint* histogram, uint count, uint k) {
  size_t d = get_global_id(0);
  if (d >= count)
    return;
  uint nearest = 0;
  float least = INFINITY;
  for (uint c = 0; c < k; ++c) {
    float distance = 0;
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float difference = descriptors[d * DIMENSIONS + i] - centroids[c * DIMENSIONS + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  atomic_inc(&histogram[nearest]);
}

// 2. Transposed: component i of all descriptors lies together, so neighbouring work-items read
// neighbouring floats.
kernel void transposed(global const float* descriptors, global const float* centroids,
                       global uint* histogram, uint count, uint k) {
  size_t d = get_global_id(0);
  if (d >= count)
    return;
  uint nearest = 0;
  float least = INFINITY;
  for (uint c = 0; c < k; ++c) {
    float distance = 0;
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float difference = descriptors[i * count + d] - centroids[c * DIMENSIONS + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  atomic_inc(&histogram[nearest]);
}

// 3. Transposed, with vector types: a work-item handles four neighbouring descriptors. `count` is a
// multiple of 4.
kernel void transposed_vector(global const float* descriptors, global const float* centroids,
                              global uint* histogram, uint count, uint k) {
  size_t d = get_global_id(0);
  if (d * 4 >= count)
    return;
  int4 nearest = 0;
  float4 least = INFINITY;
  for (uint c = 0; c < k; ++c) {
    float4 distance = 0;
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float4 difference = vload4(d, descriptors + i * count) - centroids[c * DIMENSIONS + i];
      distance += difference * difference;
    }
    int4 closer = distance < least;
    least = select(least, distance, closer);
    nearest = select(nearest, (int4)((int)c), closer);
  }
  atomic_inc(&histogram[nearest.x]);
  atomic_inc(&histogram[nearest.y]);
  atomic_inc(&histogram[nearest.z]);
  atomic_inc(&histogram[nearest.w]);
}

// 4. Transposed, with local memory: the descriptor is read again for every centroid, so the
// work-item first copies it to local memory. A work-item reads only what it wrote itself; that
// needs no barrier. The work-group size is GROUP.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
transposed_local(global const float* descriptors, global const float* centroids,
                 global uint* histogram, uint count, uint k) {
  local float mine[DIMENSIONS][GROUP];
  size_t d = get_global_id(0);
  size_t me = get_local_id(0);
  if (d >= count)
    return;
  for (uint i = 0; i < DIMENSIONS; ++i)
    mine[i][me] = descriptors[i * count + d];
  uint nearest = 0;
  float least = INFINITY;
  for (uint c = 0; c < k; ++c) {
    float distance = 0;
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float difference = mine[i][me] - centroids[c * DIMENSIONS + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  atomic_inc(&histogram[nearest]);
}

// 5. As 4, with the centroids in constant memory: all work-items read the same centroid at the same
// time.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
transposed_local_constant(global const float* descriptors, constant float* centroids,
                          global uint* histogram, uint count, uint k) {
  local float mine[DIMENSIONS][GROUP];
  size_t d = get_global_id(0);
  size_t me = get_local_id(0);
  if (d >= count)
    return;
  for (uint i = 0; i < DIMENSIONS; ++i)
    mine[i][me] = descriptors[i * count + d];
  uint nearest = 0;
  float least = INFINITY;
  for (uint c = 0; c < k; ++c) {
    float distance = 0;
    for (uint i = 0; i < DIMENSIONS; ++i) {
      float difference = mine[i][me] - centroids[c * DIMENSIONS + i];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      nearest = c;
    }
  }
  atomic_inc(&histogram[nearest]);
}

// Brings the descriptors from the first form to the second: a tile is read along its rows, turned
// in local memory, and written along its rows again. The extra column keeps the turned reads in
// different memory banks on a GPU.
#define TURN 16

kernel __attribute__((reqd_work_group_size(TURN, TURN, 1))) void
transpose(global const float* in, global float* out, uint rows, uint columns) {
  local float tile[TURN][TURN + 1];
  size_t x = get_global_id(0);
  size_t y = get_global_id(1);
  if (x < columns && y < rows)
    tile[get_local_id(1)][get_local_id(0)] = in[y * columns + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TURN + get_local_id(0);
  y = get_group_id(0) * TURN + get_local_id(1);
  if (x < rows && y < columns)
    out[y * rows + x] = tile[get_local_id(0)][get_local_id(1)];
}
