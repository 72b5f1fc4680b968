// A pipe as the runtime lays it out (abi/pipe.h), and what all functions on pipes are made of.
#pragma once

#include "types.h"

#define LINE __attribute__((aligned(128)))

// The compiler takes volatile accesses for those of the device's scope on NVIDIA's GPUs.
struct pipe_end {
  LINE volatile atomic_ulong position;
  volatile atomic_ulong last_move;
};
struct pipe_data {
  uint packet_bytes;
  uint capacity;
  ulong packets_offset;
  struct pipe_end reading, writing;
  LINE volatile atomic_uint states[1];
};
typedef global struct pipe_data* pipe_ptr;

// The compiler's functions: where a pipe is, and what a reserve_id_t is made of.
__attribute__((const)) pipe_ptr __quern_pipe_to_read(read_only pipe uchar p);
__attribute__((const)) pipe_ptr __quern_pipe_to_write(write_only pipe uchar p);
__attribute__((const)) reserve_id_t __quern_reserve_id(ulong bits);
__attribute__((const)) ulong __quern_reserve_id_bits(reserve_id_t id);

// A reservation: the number of slots, at least 1, above that of the first one; 0 is none. The first
// one may be counted on beyond the last slot of the pipe, where a reservation was shared.
#define NO_RESERVATION 0ul
#define RESERVATION(FIRST, COUNT) ((ulong)(COUNT) << 32 | (FIRST))
#define FIRST_OF(RESERVATION) ((uint)(RESERVATION))
#define COUNT_OF(RESERVATION) ((uint)((RESERVATION) >> 32))

// As many slots as `count` says, or none. The compiler knows these names: packets make one
// reservation for all their work-items.
ulong __quern_reserve_to_write(pipe_ptr data, uint count);
ulong __quern_reserve_to_read(pipe_ptr data, uint count);
// Likewise, for a group, all of whose work-items call it: what its first work-item gets counts.
ulong __quern_work_group_reserve_to_write(pipe_ptr data, uint count);
ulong __quern_work_group_reserve_to_read(pipe_ptr data, uint count);
ulong __quern_sub_group_reserve_to_write(pipe_ptr data, uint count);
ulong __quern_sub_group_reserve_to_read(pipe_ptr data, uint count);

// What the state of a slot must be, beside twice the lap, for who wants to write or to read it.
#define TO_WRITE 0
#define TO_READ 1
#define POSITION_TO_WRITE(data) (&(data)->writing.position)
#define POSITION_TO_READ(data) (&(data)->reading.position)

// The slot `index` slots behind `first`. Both lie in one reservation: it wraps at most once, and
// there are at most 2^31 slots.
static inline uint slot_behind(pipe_ptr data, uint first, uint index) {
  const uint slot = first + index;
  return slot < data->capacity ? slot : slot - data->capacity;
}

static inline global uchar* packet_in(pipe_ptr data, uint slot, uint bytes) {
  return (global uchar*)data + data->packets_offset + (ulong)slot * bytes;
}

// What was done to the packet in the slot is seen by who owns the slot next. Nobody else changes
// the state of a slot that is owned.
static inline void hand_over(pipe_ptr data, uint slot) {
  volatile global atomic_uint* state = &data->states[slot];
  const uint before = __opencl_atomic_load(state, memory_order_relaxed, memory_scope_device);
  __opencl_atomic_store(state, before + 1, memory_order_release, memory_scope_device);
}
