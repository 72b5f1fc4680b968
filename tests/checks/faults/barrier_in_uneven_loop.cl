// global 64 local 16 args buffer:256
kernel void barrier_in_uneven_loop(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  for (int j = 0; j < (int)l; ++j)
    barrier(CLK_LOCAL_MEM_FENCE);  // fault: divergent-barrier
  out[i] = 1;
}
