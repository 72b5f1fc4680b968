// global 64 local 16 args buffer:2048 buffer:256
kernel void misaligned_vector(global const char* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = (*(global const int4*)(in + 16 * i + 4)).x;  // fault: misaligned-read
}
