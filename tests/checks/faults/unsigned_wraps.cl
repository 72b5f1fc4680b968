// global 64 local 16 args buffer:256 buffer:256
kernel void unsigned_wraps(global const int* in, global int* out) {
  const uint i = get_global_id(0);
  out[i] = in[i - 1u];  // fault: out-of-bounds-read
}
