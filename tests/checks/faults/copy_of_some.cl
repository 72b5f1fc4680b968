// global 16 local 16 args buffer:64 buffer:64
kernel void copy_of_some(global const int* in, global int* out) {
  local int t[16];
  const size_t l = get_local_id(0);
  event_t e = async_work_group_copy(t, in, 16, 0);
  if (l == 3)
    e = async_work_group_copy(t, in, 1, e);  // fault: divergent-barrier
  wait_group_events(1, &e);
  out[l] = t[l];
}
