// global 32 local 32 args buffer:128
// More barriers than the check of races can number.
kernel void many_intervals(global int* out) {
  local int ring[32];
  const int item = (int)get_local_id(0);
  ring[item] = item;
  for (int i = 0; i < 140000; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int next = ring[(item + 1) % 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    ring[item] = next;
  }
  out[get_global_id(0)] = ring[item];
}
