// global 64 local 16 args buffer:768 buffer:256
struct triple {
  int a, b, c;
};
kernel void structure_past_end(global const struct triple* in, global int* out) {
  const size_t i = get_global_id(0);
  const struct triple t = in[i + 1];  // fault: out-of-bounds-read
  out[i] = t.a + t.c;
}
