// global 64 local 16 args unwritten:256 buffer:256
kernel void unwritten_copied(global const int* in, global int* out) {
  local int t[16];
  event_t e = async_work_group_copy(t, in + 16 * get_group_id(0), 16, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[get_local_id(0)];  // fault: uninitialised-store
}
