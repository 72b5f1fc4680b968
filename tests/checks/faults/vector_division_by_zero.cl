// global 64 local 16 args buffer:1024 buffer:1024
kernel void vector_division_by_zero(global const int4* in, global int4* out) {
  const size_t i = get_global_id(0);
  out[i] = (int4)(7) / in[i];  // fault: division-by-zero
}
