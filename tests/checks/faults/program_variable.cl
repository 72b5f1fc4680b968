// global 64 local 16 args buffer:256
global int counts[32];
kernel void program_variable(global int* out) {
  const size_t i = get_global_id(0);
  counts[i] = 1;  // fault: out-of-bounds-write
  out[i] = 1;
}
