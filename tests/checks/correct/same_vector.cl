// global 64 local 16 args buffer:16
kernel void same_vector(global float4* out) {
  *out = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
}
