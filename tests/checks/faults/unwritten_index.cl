// global 64 local 16 args buffer:256
kernel void unwritten_index(global int* out) {
  const size_t i = get_global_id(0);
  int x;
  out[i] = 0;
  out[x & 63 | (int)i] = 1;  // fault: uninitialised-address
}
