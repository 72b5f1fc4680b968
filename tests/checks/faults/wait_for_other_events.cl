// global 2 local 2 args buffer:8 buffer:8
kernel void wait_for_other_events(global const int* in, global int* out) {
  local int t[2];
  event_t e[2];
  e[0] = async_work_group_copy(t, in, 1, 0);  // fault: unawaited-copy
  e[1] = async_work_group_copy(t + 1, in + 1, 1, 0);  // fault: unawaited-copy
  const size_t l = get_local_id(0);
  wait_group_events(1, e + l);  // fault: divergent-barrier
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = 1;
}
