// global 64 local 16 args buffer:256
kernel void private_arrays(global int* out) {
  const size_t i = get_global_id(0);
  int a[8];
  for (int j = 0; j < 8; ++j)
    a[j] = j;
  for (int j = 0; j < 4; ++j) {
    const int t = a[j];
    a[j] = a[7 - j];
    a[7 - j] = t;
  }
  out[i] = a[i & 7];
}
