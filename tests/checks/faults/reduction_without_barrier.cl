// global 64 local 16 args buffer:256
kernel void reduction_without_barrier(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  t[l] = (int)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 8; s > 0; s /= 2)
    if (l < s)
      t[l] += t[l + s] + 1;  // fault: race
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[0];
}
