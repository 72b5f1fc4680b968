// global 8x8 local 4x4 args buffer:256
kernel void local_tile_row(global int* out) {
  local int tile[4][4];
  const size_t x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * 8 + get_global_id(0)] = tile[y + 1][x];  // fault: out-of-bounds-read
}
