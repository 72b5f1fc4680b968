// global 64 local 16 args buffer:256 int:32
kernel void shift_left_by_width(global int* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = 1 << n;  // fault: shift-beyond-width
}
