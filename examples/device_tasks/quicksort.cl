// Quicksort of ints. A work-group splits a part of them by a pivot; the two sides are parts for
// others.

// What one work-group sorts in local memory.
#define SMALL 1024

// Numbers of from[begin ... end - 1] below and above a pivot go to the same part of `to`, those
// equal to it to their final places. Returns the end of the lower side and the begin of the upper.
uint2 split(global const int* from, global int* to, global int* sorted, uint begin, uint end) {
  const uint step = get_local_size(0), start = begin + get_local_id(0);
  const int a = from[begin], b = from[begin + (end - begin) / 2], c = from[end - 1];
  const int pivot = max(min(a, b), min(max(a, b), c));
  uint below = 0, equal = 0, above = 0;
  for (uint i = start; i < end; i += step) {
    const int number = from[i];
    below += number < pivot;
    equal += number == pivot;
    above += number > pivot;
  }
  const uint2 sides =
      (uint2)(begin + work_group_reduce_add(below), end - work_group_reduce_add(above));
  uint to_below = begin + work_group_scan_exclusive_add(below);
  uint to_equal = sides.x + work_group_scan_exclusive_add(equal);
  uint to_above = sides.y + work_group_scan_exclusive_add(above);
  for (uint i = start; i < end; i += step) {
    const int number = from[i];
    if (number < pivot)
      to[to_below++] = number;
    else if (number > pivot)
      to[to_above++] = number;
    else
      sorted[to_equal++] = number;
  }
  return sides;
}

// At most SMALL numbers, by a bitonic network.
void sort_small(global const int* from, global int* sorted, uint begin, uint end,
                local int* numbers) {
  const uint step = get_local_size(0), start = get_local_id(0), count = end - begin;
  for (uint i = start; i < SMALL; i += step)
    numbers[i] = i < count ? from[begin + i] : INT_MAX;
  for (uint size = 2; size <= SMALL; size *= 2)
    for (uint distance = size / 2; distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint i = start; i < SMALL / 2; i += step) {
        const uint low = 2 * i - (i & (distance - 1)), high = low + distance;
        const int x = numbers[low], y = numbers[high];
        const bool rises = (low & size) == 0;
        numbers[low] = rises ? min(x, y) : max(x, y);
        numbers[high] = rises ? max(x, y) : min(x, y);
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = start; i < count; i += step)
    sorted[begin + i] = numbers[i];
}

// For the host, which enqueues the sides: it finds them at sides[part].
kernel void sort_part(global const int* from, global int* to, global int* sorted,
                      global uint2* sides, local int* memory, uint part, uint begin, uint end) {
  if (end - begin <= SMALL) {
    sort_small(from, sorted, begin, end, memory);
    return;
  }
  const uint2 both = split(from, to, sorted, begin, end);
  if (get_local_id(0) == 0)
    sides[part] = both;
}

#ifdef __opencl_c_device_enqueue
// A part enqueues its sides itself, with what was read and what was written exchanged.
void sort_all(global int* from, global int* to, global int* sorted, uint begin, uint end,
              local int* memory) {
  if (end - begin <= SMALL) {
    sort_small(from, sorted, begin, end, memory);
    return;
  }
  const uint2 sides = split(from, to, sorted, begin, end);
  if (get_local_id(0) != 0)
    return;
  const size_t items = get_local_size(0);
  const ndrange_t group = ndrange_1D(items, items);
  const uint bytes = SMALL * sizeof(int);
  if (begin < sides.x)
    enqueue_kernel(
        get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, group,
        ^(local void* own) {
          sort_all(to, from, sorted, begin, sides.x, own);
        },
        bytes);
  if (sides.y < end)
    enqueue_kernel(
        get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, group,
        ^(local void* own) {
          sort_all(to, from, sorted, sides.y, end, own);
        },
        bytes);
}

kernel void sort(global int* from, global int* to, global int* sorted, uint count,
                 local int* memory) {
  sort_all(from, to, sorted, 0, count, memory);
}
#endif
