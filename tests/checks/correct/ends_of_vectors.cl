// global 64 local 64 args unwritten:1024 buffer:1024
kernel void ends_of_vectors(global float* data, global float4* out) {
  const size_t i = get_global_id(0);
  data[4 * i] = 1.0f;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = ((global float4*)data)[i ^ 1] * 2.0f;
}
