// global 64 local 16 args buffer:4
kernel void global_sum(global int* out) {
  const size_t i = get_global_id(0);
  out[0] += (int)i;  // fault: race
}
