// global 64 local 16 args local:512 local:2048 buffer:8192
kernel void local_vectors(local long4* a, local double16* b, global double16* out) {
  const size_t l = get_local_id(0);
  a[l] = (long4)(l, 1, 2, 3);
  b[l] = (double16)(l);
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t next = (l + 1) % 16;
  out[get_global_id(0)] = b[next] + (double)a[next].x;
}
