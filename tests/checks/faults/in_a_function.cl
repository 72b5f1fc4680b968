// global 64 local 16 args buffer:256
void put(global int* p, size_t i) {
  p[i + 1] = 1;  // fault: out-of-bounds-write
}
kernel void in_a_function(global int* out) {
  const size_t i = get_global_id(0);
  put(out, i);
}
