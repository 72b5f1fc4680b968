// global 64 local 16 args buffer:256 buffer:256
kernel void async_copy(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int t[16];
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 16, 16, 0);
  wait_group_events(1, &e);
  out[i] = t[15 - l];
}
