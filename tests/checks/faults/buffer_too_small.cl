// global 64 local 16 args buffer:256 buffer:252
kernel void buffer_too_small(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];  // fault: out-of-bounds-write
}
