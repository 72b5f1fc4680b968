// global 16 local 16 args buffer:64
// Who has not changed the number has only read it, as have those who look at it then.
kernel void failed_exchange(global int* out) {
  local int lock;
  const size_t l = get_local_id(0);
  if (l == 0)
    lock = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 5)
    atomic_cmpxchg(&lock, -1, 5);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = lock + atomic_cmpxchg(&lock, -1, (int)l);
}
