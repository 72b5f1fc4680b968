// global 64 local 16 args buffer:256
kernel void unwritten_element(global int* out) {
  const size_t i = get_global_id(0);
  int a[8];
  for (int j = 0; j < 7; ++j)
    a[j] = j;
  out[i] = a[i & 7];  // fault: uninitialised-store
}
