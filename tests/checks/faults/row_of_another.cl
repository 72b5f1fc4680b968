// global 8 local 8 args buffer:32
kernel void row_of_another(global int* out) {
  local int t[4][8];
  const size_t l = get_local_id(0);
  for (int k = 0; k < 4; ++k)
    t[k][l] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[1][l + 1];  // fault: out-of-bounds-read
}
