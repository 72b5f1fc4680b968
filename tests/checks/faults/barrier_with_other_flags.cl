// source-only global 64 local 16 args buffer:256
kernel void barrier_with_other_flags(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  barrier(l == 0 ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);  // fault: divergent-barrier
  out[i] = 1;
}
