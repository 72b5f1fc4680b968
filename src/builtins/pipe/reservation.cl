// Taking slots of a pipe; NVIDIA's GPUs have a form of their own. Nobody waits for a
// packet: what cannot be had now fails.
#include "pipe.h"

// A line of the caches goes from one core to another in a few hundred cycles, and a reservation
// takes a tenth of that where the line is. So threads take turns: who finds that another one has
// moved the position last watches it for a moment, and where that one makes many moves lets it go
// on, for longer each time, and does not look at the line meanwhile. In turns of a store and a
// load, a few cycles each. Where reservations are rare a thread loses no more than the moment.
#define MOMENT 512
#define SHORTEST_WAIT 4096
#define LONGEST_WAIT 16384
#define MANY_MOVES 2
#define MOVES(LAST) ((uint)(LAST))
#define THREAD(LAST) ((uint)((LAST) >> 32))

static inline void wait(uint turns) {
  for (volatile uint turn = 0; turn < turns; ++turn) {
  }
}

static inline ulong last_move(global struct pipe_end* end) {
  return __opencl_atomic_load(&end->last_move, memory_order_relaxed, memory_scope_device);
}

static inline void take_turns(global struct pipe_end* end, uint self) {
  ulong seen = last_move(end);
  if (THREAD(seen) == self || MOVES(seen) == 0)
    return;
  wait(MOMENT);
  for (uint turns = SHORTEST_WAIT; turns <= LONGEST_WAIT; turns *= 2) {
    const ulong now = last_move(end);
    if (now - seen < MANY_MOVES || THREAD(now) != THREAD(seen))
      return;
    seen = now;
    wait(turns);
  }
}

static inline void note_move(global struct pipe_end* end, uint self) {
  const ulong last = last_move(end);
  const uint moves = THREAD(last) == self ? MOVES(last) : 0;
  __opencl_atomic_store(&end->last_move, (ulong)self << 32 | (moves + 1), memory_order_relaxed,
                        memory_scope_device);
}

// As many slots as `count` says, one behind the other, all in the state that is wanted; or none.
static inline ulong reserve(pipe_ptr data, global struct pipe_end* end, uint state, uint count) {
  const uint capacity = data->capacity;
  if (count - 1 >= capacity)
    return NO_RESERVATION;
  // Threads have their stacks apart.
  volatile uint on_stack;
  const uint self = (uint)((ulong)&on_stack >> 12);
  take_turns(end, self);
  for (;;) {
    ulong at = __opencl_atomic_load(&end->position, memory_order_relaxed, memory_scope_device);
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
    // One that was taken since shows that the position is an old one.
    if (distance == 0 && __opencl_atomic_compare_exchange_strong(
                             &end->position, &at, (ulong)lap << 32 | slot, memory_order_relaxed,
                             memory_order_relaxed, memory_scope_device)) {
      note_move(end, self);
      return RESERVATION(first, count);
    }
  }
}

__attribute__((noinline)) ulong __quern_reserve_to_write(pipe_ptr data, uint count) {
  return reserve(data, &data->writing, TO_WRITE, count);
}
__attribute__((noinline)) ulong __quern_reserve_to_read(pipe_ptr data, uint count) {
  return reserve(data, &data->reading, TO_READ, count);
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
