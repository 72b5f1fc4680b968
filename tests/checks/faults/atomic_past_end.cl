// global 64 local 16 args buffer:128
kernel void atomic_past_end(global int* out) {
  const size_t i = get_global_id(0);
  atomic_inc(&out[i]);  // fault: out-of-bounds-write
}
