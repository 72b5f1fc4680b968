// global 64 local 16 args buffer:256 buffer:256
kernel void pointer_steps(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (global const int* p = in + i; p < in + 65; ++p)
    sum += *p;  // fault: out-of-bounds-read
  out[i] = sum;
}
