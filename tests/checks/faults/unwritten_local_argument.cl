// global 64 local 16 args local:64 buffer:256
kernel void unwritten_local_argument(local int* t, global int* out) {
  const size_t l = get_local_id(0);
  if (l < 12)
    t[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[15 - l] + 1;  // fault: uninitialised-store
}
