// global 64 local 16 args buffer:1024 buffer:768
kernel void vectors(global float4* a, global float* b) {
  const size_t i = get_global_id(0);
  float4 v;
  v.x = 1;
  v.yz = (float2)(2, 3);
  v.w = 4;
  a[i] = v;
  float3 w = v.xyz;
  vstore3(w * 2, i, b);
}
