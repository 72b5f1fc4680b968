// Taking slots of a pipe; NVIDIA's GPUs have a form of their own. Nobody waits for anybody: what
// cannot be had now fails.
#include "pipe.h"

// As many slots as `count` says, one behind the other, all in the state that is wanted; or none.
static inline ulong reserve(pipe_ptr data, volatile global atomic_ulong* position, uint state,
                            uint count) {
  const uint capacity = data->capacity;
  if (count - 1 >= capacity)
    return NO_RESERVATION;
  ulong at = __opencl_atomic_load(position, memory_order_relaxed, memory_scope_device);
  for (;;) {
    const uint first = (uint)at;
    uint lap = (uint)(at >> 32), slot = first, left = count;
    int distance = 0;
    while (left != 0 && distance == 0) {
      distance = (int)(__opencl_atomic_load(&data->states[slot], memory_order_acquire,
                                            memory_scope_device) -
                       (2 * lap + state));
      --left;
      if (++slot == capacity) {
        slot = 0;
        ++lap;
      }
    }
    // A slot that is not there yet: the position is the present one, as nobody passes such a slot.
    if (distance < 0)
      return NO_RESERVATION;
    if (distance > 0)
      at = __opencl_atomic_load(position, memory_order_relaxed, memory_scope_device);
    else if (__opencl_atomic_compare_exchange_strong(position, &at, (ulong)lap << 32 | slot,
                                                     memory_order_relaxed, memory_order_relaxed,
                                                     memory_scope_device))
      return RESERVATION(first, count);
  }
}

__attribute__((noinline)) ulong __quern_reserve_to_write(pipe_ptr data, uint count) {
  return reserve(data, POSITION_TO_WRITE(data), TO_WRITE, count);
}
__attribute__((noinline)) ulong __quern_reserve_to_read(pipe_ptr data, uint count) {
  return reserve(data, POSITION_TO_READ(data), TO_READ, count);
}

#define IS_FIRST_OF_work_group (get_local_linear_id() == 0)
#define IS_FIRST_OF_sub_group (get_sub_group_local_id() == 0)
#define FOR_GROUP(GROUP, DIRECTION)                                                                \
  __attribute__((always_inline)) ulong __quern_##GROUP##_reserve_to_##DIRECTION(pipe_ptr data,     \
                                                                                uint count) {      \
    return IS_FIRST_OF_##GROUP ? __quern_reserve_to_##DIRECTION(data, count) : NO_RESERVATION;     \
  }
FOR_GROUP(work_group, write)
FOR_GROUP(work_group, read)
FOR_GROUP(sub_group, write)
FOR_GROUP(sub_group, read)
