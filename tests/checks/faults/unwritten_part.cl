// global 64 local 16 args unwritten:256 buffer:256
kernel void unwritten_part(global int* data, global int* out) {
  const size_t i = get_global_id(0);
  if (i % 16 != 5)
    data[i] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = data[i ^ 1];  // fault: uninitialised-store
}
