// global 64 local 16 args buffer:16
kernel void unwritten_counter(global int* out) {
  local int n;
  atomic_inc(&n);  // fault: uninitialised-store
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = n;
}
