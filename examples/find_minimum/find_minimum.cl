// The least of `count` floats, for any count.

// A work-group's minimum, known to all its work-items: the group halves the number of candidates
// until one is left. Halving rounds up, so the work-group size need not be a power of two.
float group_minimum(float candidate, local float* scratch) {
  size_t me = get_local_id(0);
  scratch[me] = candidate;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t active = get_local_size(0); active > 1;) {
    size_t remaining = (active + 1) / 2;
    if (me + remaining < active)
      scratch[me] = min(scratch[me], scratch[me + remaining]);
    barrier(CLK_LOCAL_MEM_FENCE);
    active = remaining;
  }
  return scratch[0];
}

// One result per work-group: each work-item takes every size-th value, then the group combines what
// its work-items found. Launched with one group it finds the minimum of all; launched with many,
// their results are the input of a second launch with one group.
kernel void minimum(global const float* values, uint count, global float* results,
                    local float* scratch) {
  float candidate = INFINITY;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    candidate = min(candidate, values[i]);
  float least = group_minimum(candidate, scratch);
  if (get_local_id(0) == 0)
    results[get_group_id(0)] = least;
}

#if defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device)
// Many groups in one launch (OpenCL C 3.0): the group that finishes last combines the results of
// all. The counter orders memory too: a group releases its result before it counts itself, and the
// last one acquires what the others released. No group ever waits for another. `finished` starts at
// 0.
kernel void minimum_single_launch(global const float* values, uint count, global float* results,
                                  local float* scratch, global atomic_uint* finished,
                                  global float* least) {
  local int amLast;
  size_t me = get_local_id(0);
  size_t groups = get_num_groups(0);

  float candidate = INFINITY;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0))
    candidate = min(candidate, values[i]);
  candidate = group_minimum(candidate, scratch);
  if (me == 0) {
    results[get_group_id(0)] = candidate;
    uint before =
        atomic_fetch_add_explicit(finished, 1u, memory_order_acq_rel, memory_scope_device);
    amLast = before + 1 == groups;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  if (amLast) { // the same for the whole group, so it may contain barriers
    candidate = INFINITY;
    for (size_t g = me; g < groups; g += get_local_size(0))
      candidate = min(candidate, results[g]);
    candidate = group_minimum(candidate, scratch);
    if (me == 0)
      *least = candidate;
  }
}
#endif
