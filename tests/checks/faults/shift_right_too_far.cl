// global 64 local 16 args buffer:256 int:40
kernel void shift_right_too_far(global uint* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = 77u >> n;  // fault: shift-beyond-width
}
