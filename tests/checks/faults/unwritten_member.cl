// global 64 local 16 args buffer:256
struct pair {
  int a, b;
};
kernel void unwritten_member(global int* out) {
  const size_t i = get_global_id(0);
  struct pair p;
  p.a = 1;
  out[i] = p.a + p.b;  // fault: uninitialised-store
}
