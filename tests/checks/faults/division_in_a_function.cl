// global 64 local 16 args buffer:256 buffer:256
int ratio(int a, int b) {
  return a / b;  // fault: division-by-zero
}
kernel void division_in_a_function(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = ratio(9, in[i]);
}
