// global 64 local 16 args buffer:252
kernel void vector_store(global int* out) {
  const size_t i = get_global_id(0);
  if (i < 16)
    vstore4((int4)(1), i, out);  // fault: out-of-bounds-write
}
