// global 64 local 16 args buffer:256 buffer:128 buffer:256
kernel void chosen_pointer(global const int* a, global const int* b, global int* out) {
  const size_t i = get_global_id(0);
  global const int* p = (i & 1) ? a : b;
  out[i] = p[i];  // fault: out-of-bounds-read
}
