// global 64 local 16 args buffer:16 buffer:4 buffer:4
kernel void last_group(global int* part, global int* count, global int* out) {
  const size_t l = get_local_id(0);
  local int isLast;
  if (l == 0) {
    part[get_group_id(0)] = (int)get_group_id(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    isLast = atomic_inc(count) == 3;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (isLast && l == 0)
    *out = part[0] + part[1] + part[2] + part[3];
}
