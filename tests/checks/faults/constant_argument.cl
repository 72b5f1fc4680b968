// global 64 local 16 args buffer:128 buffer:256
kernel void constant_argument(constant int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];  // fault: out-of-bounds-read
}
