// global 64 local 16 args buffer:768 buffer:256
struct triple {
  int a, b, c;
};
kernel void member_past_end(global const struct triple* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i + 1].b;  // fault: out-of-bounds-read
}
