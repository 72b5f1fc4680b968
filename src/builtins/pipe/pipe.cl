// The functions on pipes of OpenCL C 3.0, 6.15.15, as the front end calls them: with the size and
// the alignment of a packet behind their arguments.
#include "pipe.h"

__attribute__((overloadable, convergent)) ulong work_group_broadcast(ulong x, size_t id);
__attribute__((overloadable, convergent)) ulong sub_group_broadcast(ulong x, uint id);

#define DECLARE_COPY(BYTES)                                                                        \
  __attribute__((overloadable)) void __quern_copy_packet_##BYTES(                                  \
      generic void* to, const generic void* from, uint bytes);
DECLARE_COPY(1)
DECLARE_COPY(2)
DECLARE_COPY(4)
DECLARE_COPY(8)
DECLARE_COPY(16)

#define FUNCTION __attribute__((always_inline))
#define FULL_OR_EMPTY -1
#define NOT_POSSIBLE -2

// The size and the alignment are nearly always known where the function is called.
static inline void copy(generic void* to, const generic void* from, uint bytes, uint alignment) {
  if (alignment >= 16)
    __quern_copy_packet_16(to, from, bytes);
  else if (alignment == 8)
    __quern_copy_packet_8(to, from, bytes);
  else if (alignment == 4)
    __quern_copy_packet_4(to, from, bytes);
  else if (alignment == 2)
    __quern_copy_packet_2(to, from, bytes);
  else
    __quern_copy_packet_1(to, from, bytes);
}

static inline int has_packets_of(pipe_ptr data, uint bytes) {
  return data->packet_bytes == bytes;
}

FUNCTION int __write_pipe_2(write_only pipe uchar p, const generic void* packet, uint bytes,
                            uint alignment) {
  pipe_ptr data = __quern_pipe_to_write(p);
  if (!has_packets_of(data, bytes))
    return NOT_POSSIBLE;
  const ulong reserved = __quern_reserve_to_write(data, 1);
  if (reserved == NO_RESERVATION)
    return FULL_OR_EMPTY;
  const uint slot = slot_behind(data, FIRST_OF(reserved), 0);
  copy(packet_in(data, slot, bytes), packet, bytes, alignment);
  hand_over(data, slot);
  return 0;
}

FUNCTION int __read_pipe_2(read_only pipe uchar p, generic void* packet, uint bytes,
                           uint alignment) {
  pipe_ptr data = __quern_pipe_to_read(p);
  if (!has_packets_of(data, bytes))
    return NOT_POSSIBLE;
  const ulong reserved = __quern_reserve_to_read(data, 1);
  if (reserved == NO_RESERVATION)
    return FULL_OR_EMPTY;
  const uint slot = slot_behind(data, FIRST_OF(reserved), 0);
  copy(packet, packet_in(data, slot, bytes), bytes, alignment);
  hand_over(data, slot);
  return 0;
}

FUNCTION int __write_pipe_4(write_only pipe uchar p, reserve_id_t id, uint index,
                            const generic void* packet, uint bytes, uint alignment) {
  pipe_ptr data = __quern_pipe_to_write(p);
  const ulong reserved = __quern_reserve_id_bits(id);
  if (index >= COUNT_OF(reserved) || !has_packets_of(data, bytes))
    return NOT_POSSIBLE;
  const uint slot = slot_behind(data, FIRST_OF(reserved), index);
  copy(packet_in(data, slot, bytes), packet, bytes, alignment);
  return 0;
}

FUNCTION int __read_pipe_4(read_only pipe uchar p, reserve_id_t id, uint index,
                           generic void* packet, uint bytes, uint alignment) {
  pipe_ptr data = __quern_pipe_to_read(p);
  const ulong reserved = __quern_reserve_id_bits(id);
  if (index >= COUNT_OF(reserved) || !has_packets_of(data, bytes))
    return NOT_POSSIBLE;
  const uint slot = slot_behind(data, FIRST_OF(reserved), index);
  copy(packet, packet_in(data, slot, bytes), bytes, alignment);
  return 0;
}

// From the slot `first` of the reservation on, every `step`-th one.
static inline void commit(pipe_ptr data, reserve_id_t id, size_t first, size_t step) {
  const ulong reserved = __quern_reserve_id_bits(id);
  for (size_t i = first; i < COUNT_OF(reserved); i += step)
    hand_over(data, slot_behind(data, FIRST_OF(reserved), i));
}

#define INDEX_IN_work_group get_local_linear_id()
#define INDEX_IN_sub_group get_sub_group_local_id()
#define ITEMS_OF_work_group (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define ITEMS_OF_sub_group get_sub_group_size()
#define GROUP_FUNCTIONS(GROUP, ACCESS, DIRECTION)                                                  \
  FUNCTION reserve_id_t __##GROUP##_reserve_##DIRECTION##_pipe(ACCESS pipe uchar p, uint count,    \
                                                               uint bytes, uint alignment) {       \
    return __quern_reserve_id(GROUP##_broadcast(                                                   \
        __quern_##GROUP##_reserve_to_##DIRECTION(__quern_pipe_to_##DIRECTION(p), count), 0));      \
  }                                                                                                \
  FUNCTION void __##GROUP##_commit_##DIRECTION##_pipe(ACCESS pipe uchar p, reserve_id_t id,        \
                                                      uint bytes, uint alignment) {                \
    GROUP##_barrier(CLK_GLOBAL_MEM_FENCE);                                                         \
    commit(__quern_pipe_to_##DIRECTION(p), id, INDEX_IN_##GROUP, ITEMS_OF_##GROUP);                \
  }
#define ITEM_FUNCTIONS(ACCESS, DIRECTION)                                                          \
  FUNCTION reserve_id_t __reserve_##DIRECTION##_pipe(ACCESS pipe uchar p, uint count, uint bytes,  \
                                                     uint alignment) {                             \
    return __quern_reserve_id(                                                                     \
        __quern_reserve_to_##DIRECTION(__quern_pipe_to_##DIRECTION(p), count));                    \
  }                                                                                                \
  FUNCTION void __commit_##DIRECTION##_pipe(ACCESS pipe uchar p, reserve_id_t id, uint bytes,      \
                                            uint alignment) {                                      \
    commit(__quern_pipe_to_##DIRECTION(p), id, 0, 1);                                              \
  }
#define FUNCTIONS(ACCESS, DIRECTION)                                                               \
  ITEM_FUNCTIONS(ACCESS, DIRECTION)                                                                \
  GROUP_FUNCTIONS(work_group, ACCESS, DIRECTION)                                                   \
  GROUP_FUNCTIONS(sub_group, ACCESS, DIRECTION)
FUNCTIONS(read_only, read)
FUNCTIONS(write_only, write)

FUNCTION reserve_id_t __quern_null_reserve_id(void) {
  return __quern_reserve_id(NO_RESERVATION);
}
BUILTIN bool is_valid_reserve_id(reserve_id_t id) {
  return __quern_reserve_id_bits(id) != NO_RESERVATION;
}

// Packets that are there to be read, and those that are being written.
static inline uint packets_in(pipe_ptr data) {
  const ulong begin =
      __opencl_atomic_load(POSITION_TO_READ(data), memory_order_acquire, memory_scope_device);
  const ulong end =
      __opencl_atomic_load(POSITION_TO_WRITE(data), memory_order_relaxed, memory_scope_device);
  const ulong laps = (end >> 32) - (begin >> 32);
  return min(laps * data->capacity + (uint)end - (uint)begin, (ulong)data->capacity);
}
#define QUERIES(ACCESS, DIRECTION, SUFFIX)                                                         \
  FUNCTION uint __get_pipe_num_packets_##SUFFIX(ACCESS pipe uchar p, uint bytes, uint alignment) { \
    return packets_in(__quern_pipe_to_##DIRECTION(p));                                             \
  }                                                                                                \
  FUNCTION uint __get_pipe_max_packets_##SUFFIX(ACCESS pipe uchar p, uint bytes, uint alignment) { \
    return __quern_pipe_to_##DIRECTION(p)->capacity;                                               \
  }
QUERIES(read_only, read, ro)
QUERIES(write_only, write, wo)
