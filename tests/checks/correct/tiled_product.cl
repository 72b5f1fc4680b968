// global 16x16 local 4x4 args buffer:1024 buffer:1024 buffer:1024
kernel void tiled_product(global const float* a, global const float* b, global float* c) {
  local float s[4][4], t[4][4];
  const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < 16; k += 4) {
    s[y][x] = a[gy * 16 + k + x];
    t[y][x] = b[(k + y) * 16 + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 4; ++j)
      sum += s[y][j] * t[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[gy * 16 + gx] = sum;
}
