// global 64 local 16 args buffer:256
kernel void unwritten_local_of_group_before(global int* out) {
  local int t[16];
  const size_t l = get_local_id(0);
  if (get_group_id(0) == 0)
    t[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l];  // fault: uninitialised-store
}
