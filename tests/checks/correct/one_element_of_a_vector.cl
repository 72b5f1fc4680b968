// global 16 local 16 args write-only:256
kernel void one_element_of_a_vector(global float4* out) {
  out[get_global_id(0)].z = 1.0f;
  out[get_global_id(0)].xy = (float2)(1.0f, 2.0f);
  out[get_global_id(0)].wzyx = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
}
