// global 64 local 16 args buffer:272
kernel void vector_overlap(global int* out) {
  const size_t i = get_global_id(0);
  vstore4((int4)((int)i), 0, out + i);  // fault: race
}
