// global 64 local 16 args buffer:256 buffer:256
kernel void remainder_by_zero(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = 7 % in[i];  // fault: division-by-zero
}
