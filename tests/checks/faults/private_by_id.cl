// global 64 local 16 args buffer:256
kernel void private_by_id(global int* out) {
  const size_t i = get_global_id(0);
  int a[8] = {0};
  a[i & 15] = 1;  // fault: out-of-bounds-write
  out[i] = a[i & 7];
}
