// global 64 local 16 args buffer:4 buffer:256
kernel void atomic_and_plain(global int* count, global int* out) {
  const size_t i = get_global_id(0);
  atomic_inc(count);  // fault: race
  out[i] = *count;  // fault: race
}
