// global 64 local 16 args buffer:256 buffer:256
kernel void unwritten_sum(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  int sum;
  for (int j = 0; j < 4; ++j)
    sum += in[j];
  out[i] = sum;  // fault: uninitialised-store
}
