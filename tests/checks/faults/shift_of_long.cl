// global 64 local 16 args buffer:512 int:64
kernel void shift_of_long(global long* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = 1L << n;  // fault: shift-beyond-width
}
