// global 64 local 16 args unwritten:256 buffer:256
kernel void unwritten_buffer(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = 2 * in[i];  // fault: uninitialised-store
}
