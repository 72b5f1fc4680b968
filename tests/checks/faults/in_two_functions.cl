// global 64 local 16 args buffer:256
int inner(global int* p, size_t i) {
  return p[i + 64];  // fault: out-of-bounds-read
}
void outer(global int* p, size_t i) {
  p[i] = inner(p, i);
}
kernel void in_two_functions(global int* out) {
  const size_t i = get_global_id(0);
  outer(out, i);
}
