// global 64 local 16 args buffer:32
kernel void histogram_without_atomics(global int* out) {
  const size_t i = get_global_id(0);
  out[i & 7]++;  // fault: race
}
