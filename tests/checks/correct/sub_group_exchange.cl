// global 64 local 16 args buffer:256
kernel void sub_group_exchange(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  t[l] = (int)l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l] + sub_group_reduce_add((int)l);
}
