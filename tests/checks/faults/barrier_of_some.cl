// global 64 local 16 args buffer:256
kernel void barrier_of_some(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  if (l < 8)
    barrier(CLK_LOCAL_MEM_FENCE);  // fault: divergent-barrier
  out[i] = 1;
}
