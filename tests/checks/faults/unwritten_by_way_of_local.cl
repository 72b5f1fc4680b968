// global 64 local 16 args unwritten:256 buffer:256
kernel void unwritten_by_way_of_local(global const int* in, global int* out) {
  local int t[16];
  const size_t i = get_global_id(0), l = get_local_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[15 - l];  // fault: uninitialised-store
}
