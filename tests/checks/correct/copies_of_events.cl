// global 64 local 16 args buffer:256 buffer:256
kernel void copies_of_events(global const int* in, global int* out) {
  local int t[32];
  const size_t g = get_group_id(0) * 16;
  event_t e = async_work_group_copy(t, in + g, 16, 0);
  e = async_work_group_copy(t + 16, in + g, 16, e);
  event_t both[2] = {e, e};
  wait_group_events(2, both);
  out[get_global_id(0)] = t[get_local_id(0)] + t[16 + get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 3; ++k) {
    event_t again = async_work_group_copy(t + k, in + g, 1, 0);
    wait_group_events(1, &again);
  }
}
