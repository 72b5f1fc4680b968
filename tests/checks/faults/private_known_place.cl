// global 64 local 16 args buffer:256
kernel void private_known_place(global int* out) {
  const size_t i = get_global_id(0);
  int a[4] = {1, 2, 3, 4};
  out[i] = a[4];  // fault: out-of-bounds-read
}
