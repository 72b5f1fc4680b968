// global 64 local 16 args buffer:512
kernel void misaligned_int(global char* out) {
  const size_t i = get_global_id(0);
  *(global int*)(out + 8 * i + 1) = 3;  // fault: misaligned-write
}
