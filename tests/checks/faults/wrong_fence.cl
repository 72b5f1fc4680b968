// global 64 local 16 args buffer:256 buffer:256
kernel void wrong_fence(global int* a, global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  a[i] = (int)i;  // fault: race
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[i - l + 15 - l];  // fault: race
}
