// global 64 local 16 args buffer:1024
kernel void unwritten_component(global float4* out) {
  const size_t i = get_global_id(0);
  float4 v;
  v.x = 1;
  v.y = 2;
  v.z = 3;
  out[i] = v;  // fault: uninitialised-store
}
