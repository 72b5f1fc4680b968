// global 64 local 16 args buffer:256
kernel void collective_of_some(global int* out) {
  const size_t i = get_global_id(0);
  const size_t l = get_local_id(0);
  int sum = 0;
  if (l < 8)
    sum = work_group_reduce_add((int)l);  // fault: divergent-barrier
  out[i] = sum;
}
