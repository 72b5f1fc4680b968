// global 64 local 16 args buffer:512
kernel void doubles_past_end(global double* out) {
  const size_t i = get_global_id(0);
  out[i + 1] = 7;  // fault: out-of-bounds-write
}
