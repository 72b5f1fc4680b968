// global 64 local 16 args buffer:256 int:3
kernel void generic_pointer(global int* out, int n) {
  const size_t i = get_global_id(0);
  int a[2] = {1, 2};
  int* p = a;
  out[i] = p[n];  // fault: out-of-bounds-read
}
