// global 64 local 16 args buffer:256 buffer:256
kernel void tile_without_second_barrier(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  int sum = 0;
  for (int j = 0; j < 4; ++j) {
    t[l] = (int)i + j;  // fault: race
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[15 - l];  // fault: race
  }
  out[i] = sum + in[i];
}
