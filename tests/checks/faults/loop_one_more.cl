// global 64 local 16 args buffer:256 buffer:256 int:64
kernel void loop_one_more(global const int* in, global int* out, int n) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j <= n; ++j)
    sum += in[j];  // fault: out-of-bounds-read
  out[i] = sum;
}
