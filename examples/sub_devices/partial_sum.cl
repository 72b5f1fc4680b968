// The sum of `count` ints as one partial sum per work-group, in 64 bits so that it cannot overflow.

kernel void partial_sum(global const int* values, uint count, global long* partial,
                        local long* scratch) {
  size_t me = get_local_id(0);
  long sum = 0;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    sum += values[i];
  scratch[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t other = get_local_size(0) / 2; other > 0; other /= 2) {
    if (me < other)
      scratch[me] += scratch[me + other];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    partial[get_group_id(0)] = scratch[0];
}
