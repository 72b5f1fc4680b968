// Taking slots of a pipe on NVIDIA's GPUs, where a hundred thousand work-items that each change its
// position would wait for one another for minutes: the threads of a warp reserve together. Nobody
// waits for another warp here either: what cannot be had now fails.
#include "nvptx_instructions.h"
#include "pipe.h"

#define LAST_LANE 31

static inline uint of_lane(uint mask, uint value, uint lane) {
  return __quern_nvptx_shuffle(mask, value, lane, LAST_LANE);
}
static inline ulong long_of_lane(uint mask, ulong value, uint lane) {
  return (ulong)of_lane(mask, (uint)(value >> 32), lane) << 32 | of_lane(mask, (uint)value, lane);
}
// The position `steps` slots behind `at`, which has the lap above the slot.
static inline ulong position_behind(uint capacity, ulong at, ulong steps) {
  const ulong slot = (uint)at + steps;
  if (slot < capacity)
    return at + steps;
  return ((at >> 32) + slot / capacity) << 32 | slot % capacity;
}

// The first `reservations` of the threads in `mask`, which all call this, want `count` slots each,
// one behind the other and all in the state `state`; the others help to look. Where there are fewer
// slots, the first threads have them.
static inline ulong reserve_together(pipe_ptr data, volatile global atomic_ulong* position,
                                     uint state, uint count, uint mask, uint reservations) {
  const uint capacity = data->capacity;
  if (count - 1 >= capacity)
    return NO_RESERVATION;
  const uint shortest_pause = 32, longest_pause = 1 << 10;
  uint pause = shortest_pause;
  ulong at = __opencl_atomic_load(position, memory_order_relaxed, memory_scope_device);
  for (;;) {
    const uint first = ctz(mask), threads = popcount(mask),
               rank = popcount(mask & __quern_nvptx_lanes_below());
    at = long_of_lane(mask, at, first);
    const ulong wanted = (ulong)count * reservations;
    ulong there = wanted;
    int distance = 0;
    for (ulong looked = 0; looked < wanted; looked += threads) {
      if (looked + rank < wanted) {
        const ulong own = position_behind(capacity, at, looked + rank);
        distance = (int)(__opencl_atomic_load(&data->states[(uint)own], memory_order_acquire,
                                              memory_scope_device) -
                         (2 * (uint)(own >> 32) + state));
      }
      const uint others = __quern_nvptx_ballot(mask, distance != 0);
      if (others != 0) {
        const uint lane = ctz(others);
        there = looked + popcount(mask & ((1u << lane) - 1));
        distance = (int)of_lane(mask, (uint)distance, lane);
        break;
      }
    }
    const uint granted = (uint)(there / count);
    if (granted == 0) {
      // A slot that is not there yet: nobody passes it.
      if (distance < 0)
        return NO_RESERVATION;
      at = __opencl_atomic_load(position, memory_order_relaxed, memory_scope_device);
      continue;
    }
    const ulong before = at;
    const uint served = __quern_nvptx_ballot(mask, rank < granted);
    uint is_taken = 0;
    if (rank == 0)
      is_taken = __opencl_atomic_compare_exchange_strong(
          position, &at, position_behind(capacity, at, (ulong)count * granted),
          memory_order_relaxed, memory_order_relaxed, memory_scope_device);
    if (of_lane(mask, is_taken, first) == 0) {
      __quern_nvptx_sleep(pause);
      pause = min(2 * pause, longest_pause);
      at = __opencl_atomic_load(position, memory_order_relaxed, memory_scope_device);
      continue;
    }
    // Who reads a slot is not who saw above that it can be read.
    __quern_nvptx_warp_barrier(mask);
    if (rank < granted)
      return RESERVATION((uint)position_behind(capacity, before, (ulong)count * rank), count);
    if (granted == reservations)
      return NO_RESERVATION;
    mask &= ~served;
    reservations -= granted;
    at = position_behind(capacity, before, (ulong)count * granted);
  }
}

// Threads that reserve as many slots of the same pipe do so together.
static inline ulong reserve(pipe_ptr data, volatile global atomic_ulong* position, uint state,
                            uint count) {
  uint mask = __quern_nvptx_active_mask();
  for (;;) {
    const uint first = ctz(mask);
    const ulong pipe_of_first = long_of_lane(mask, (ulong)data, first);
    const uint count_of_first = of_lane(mask, count, first);
    const bool is_alike = pipe_of_first == (ulong)data && count_of_first == count;
    const uint alike = __quern_nvptx_ballot(mask, is_alike);
    if (is_alike)
      return reserve_together(data, position, state, count, alike, popcount(alike));
    mask &= ~alike;
  }
}

// All work-items of the group call this; that of its first work-item counts.
static inline ulong reserve_for_group(pipe_ptr data, volatile global atomic_ulong* position,
                                      uint state, uint count) {
  const uint mask = ~0u >> (LAST_LANE + 1 - get_sub_group_size());
  return reserve_together(data, position, state, count, mask, 1);
}

#define FORMS(DIRECTION, STATE)                                                                    \
  ulong __nvptx___quern_reserve_to_##DIRECTION(pipe_ptr data, uint count) {                        \
    return reserve(data, POSITION_TO_##STATE(data), TO_##STATE, count);                            \
  }                                                                                                \
  ulong __nvptx___quern_sub_group_reserve_to_##DIRECTION(pipe_ptr data, uint count) {              \
    return reserve_for_group(data, POSITION_TO_##STATE(data), TO_##STATE, count);                  \
  }                                                                                                \
  ulong __nvptx___quern_work_group_reserve_to_##DIRECTION(pipe_ptr data, uint count) {             \
    if (get_sub_group_id() != 0)                                                                   \
      return NO_RESERVATION;                                                                       \
    return reserve_for_group(data, POSITION_TO_##STATE(data), TO_##STATE, count);                  \
  }
FORMS(write, WRITE)
FORMS(read, READ)
