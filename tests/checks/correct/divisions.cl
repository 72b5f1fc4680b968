// global 64 local 16 args buffer:256 int:3
kernel void divisions(global int* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = (int)i / n + (int)i % n + (1 << (n & 31)) + (int)(2.5f * n);
}
