// Kernels over the points of a grid of rows.

// The mean of a point's neighbours and itself; points of the border keep their value.
kernel void stencil(global const float* in, global float* out, int columns, int rows) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int i = y * columns + x;
  if (x > 0 && x < columns - 1 && y > 0 && y < rows - 1)
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - columns] + in[i + columns]);
  else
    out[i] = in[i];
}

// Transposes a square through a tile in local memory, TILE x TILE points for each work-group.
kernel void transpose_tiles(global const float* in, global float* out, int edge) {
  local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  tile[y][x] = in[(top + y) * edge + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + y) * edge + top + x] = tile[x][y];
}
