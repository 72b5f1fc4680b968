// global 64 local 16 args buffer:256 int:-1
kernel void shift_by_negative(global int* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = 77 >> n;  // fault: shift-beyond-width
}
