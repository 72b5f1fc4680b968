// global 64 local 16 args buffer:256
kernel void local_array_end(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  local int tile[16];
  tile[l + 1] = 1;  // fault: out-of-bounds-write
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l];  // fault: uninitialised-store
}
