// global 64 local 16 args buffer:256
kernel void local_neighbour(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int a[16];
  local int b[16];
  a[l] = 1;
  b[l] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = a[l + 16];  // fault: out-of-bounds-read
  out[i] += b[l];
}
