// global 64 local 16 args null buffer:256
kernel void null_pointer(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];  // fault: out-of-bounds-read
}
