// global 64 local 16 args buffer:256 buffer:256
kernel void unsigned_division_by_zero(global const uint* in, global uint* out) {
  const size_t i = get_global_id(0);
  out[i] = 7u / in[i];  // fault: division-by-zero
}
