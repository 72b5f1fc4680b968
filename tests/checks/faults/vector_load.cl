// global 64 local 16 args buffer:256 buffer:1024
kernel void vector_load(global const int* in, global int4* out) {
  const size_t i = get_global_id(0);
  out[i] = vload4(i, in);  // fault: out-of-bounds-read
}
