// global 64 local 16 args buffer:1024 int:33
kernel void shift_of_vector(global int4* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = (int4)(1) << (int4)(1, 2, 3, n);  // fault: shift-beyond-width
}
