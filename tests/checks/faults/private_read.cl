// global 64 local 16 args buffer:256 int:-1
kernel void private_read(global int* out, int n) {
  const size_t i = get_global_id(0);
  int a[4] = {1, 2, 3, 4};
  out[i] = a[n];  // fault: out-of-bounds-read
}
