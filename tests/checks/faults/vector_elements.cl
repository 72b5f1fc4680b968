// global 64 local 16 args buffer:512
kernel void vector_elements(global float4* out) {
  const size_t i = get_global_id(0);
  out[i] = (float4)(1);  // fault: out-of-bounds-write
}
