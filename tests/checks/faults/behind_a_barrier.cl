// global 64 local 16 args buffer:256
kernel void behind_a_barrier(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  t[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i + 16] = t[15 - l];  // fault: out-of-bounds-write
}
