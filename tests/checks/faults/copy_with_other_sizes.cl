// global 16 local 16 args buffer:64 buffer:64
kernel void copy_with_other_sizes(global const int* in, global int* out) {
  local int t[16];
  const size_t l = get_local_id(0);
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(t, in, l == 5 ? 8 : 16, 0);  // fault: divergent-barrier
  wait_group_events(1, &e);
  out[l] = t[l];
}
