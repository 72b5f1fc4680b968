// How often each value 0 ... bins - 1 occurs among `count` ints.

// Without atomics: each work-item counts into a row of its own (`rows` has one row of `bins`
// counters, all 0, for each), and merge adds up the rows.
kernel void count_rows(global const int* values, uint count, global uint* rows, uint bins) {
  global uint* mine = rows + get_global_id(0) * bins;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    mine[values[i]]++;
}

kernel void merge_rows(global const uint* rows, uint rowCount, global uint* histogram, uint bins) {
  size_t bin = get_global_id(0);
  if (bin >= bins)
    return;
  uint sum = 0;
  for (uint row = 0; row < rowCount; ++row)
    sum += rows[row * bins + bin];
  histogram[bin] = sum;
}

// With atomics on global memory: short, but all work-items compete for the same counters.
kernel void count_atomic(global const int* values, uint count, global uint* histogram) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&histogram[values[i]]);
}

// With atomics on local memory: each work-group counts for itself and adds its counts to the result
// at the end.
kernel void count_local_atomic(global const int* values, uint count, global uint* histogram,
                               uint bins, local uint* counts) {
  for (uint bin = get_local_id(0); bin < bins; bin += get_local_size(0))
    counts[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&counts[values[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < bins; bin += get_local_size(0))
    atomic_add(&histogram[bin], counts[bin]);
}
