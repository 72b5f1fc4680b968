// global 64 local 16 args buffer:256 buffer:256
kernel void write_before_start(global const int* in, global int* out) {
  const int i = (int)get_global_id(0);
  out[i - 1] = in[i];  // fault: out-of-bounds-write
}
