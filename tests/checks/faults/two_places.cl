// global 64 local 16 args buffer:256 buffer:256
kernel void two_places(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const int x = in[i + 1];  // fault: out-of-bounds-read
  out[i + 2] = x;  // fault: out-of-bounds-write
}
