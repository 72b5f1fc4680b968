// global 64 local 16 args part:128 buffer:256
kernel void sub_buffer_end(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];  // fault: out-of-bounds-read
}
