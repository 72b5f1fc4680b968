// global 64 local 16 args buffer:256 int:-1
kernel void division_overflows(global int* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = INT_MIN / n;  // fault: division-overflow
}
