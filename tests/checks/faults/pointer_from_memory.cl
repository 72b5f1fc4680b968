// global 64 local 16 args buffer:512 buffer:256
kernel void pointer_from_memory(global ulong* in, global int* out) {
  const size_t i = get_global_id(0);
  in[i] = 64;
  global int* p = (global int*)in[i];
  out[i] = *p;  // fault: out-of-bounds-read
}
