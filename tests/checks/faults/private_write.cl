// global 64 local 16 args buffer:256 int:4
kernel void private_write(global int* out, int n) {
  const size_t i = get_global_id(0);
  int a[4] = {1, 2, 3, 4};
  a[n] = 5;  // fault: out-of-bounds-write
  out[i] = a[i & 3];
}
