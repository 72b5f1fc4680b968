// global 64 local 16 args buffer:256 buffer:256
kernel void barrier_between_groups(global int* a, global int* out) {
  const size_t i = get_global_id(0);
  a[i] = (int)i;  // fault: race
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = a[63 - i];  // fault: race
}
