// global 64 local 16 args buffer:256 buffer:256
kernel void read_far_away(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i + 1000000000];  // fault: out-of-bounds-read
}
