// global 64 local 16 args buffer:256 buffer:16
kernel void reduction(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  t[l] = in[i];
  for (int s = 8; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      t[l] += t[l + s];
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}
