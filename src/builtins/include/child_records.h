// What kernels that enqueue others write (abi/child_records.h).
#pragma once

#include "types.h"

struct block_limits {
  ulong id;
  uint max_work_group_size;
  uint preferred_work_group_multiple;
  uint sub_group_size;
  uint reserved;
};

struct event_times {
  volatile atomic_ulong event;
  volatile atomic_ulong own_ns;
  volatile atomic_ulong complete_ns;
};
#define EVENT_TIMES_COUNT (1ul << 16)

struct child_launch {
  ulong default_queue;
  ulong event_times;
  ulong first_event;
  ulong capacity;
  ulong local_mem_bytes;
  uint block_count;
  uint max_work_group_size_of_all;
  uint whole_groups;
  uint reserved;
};

struct child_records {
  struct child_launch launch;
  volatile atomic_ulong used;
};

#define RECORD_KERNEL 0
#define RECORD_MARKER 1
#define RECORD_USER_EVENT 2
#define RECORD_SET_STATUS 3
#define RECORD_RETAIN 4
#define RECORD_RELEASE 5
#define RECORD_CAPTURE_TIMES 6

struct child_record {
  uint bytes;
  uint kind;
  ulong event;
  ulong value;
};

struct child_command {
  struct child_record record;
  ulong queue;
  ulong block;
  uint wait_count;
  uint local_count;
  uint literal_bytes;
  uint work_dim;
  ulong offset[3];
  ulong global_size[3];
  ulong local_size[3];
};

typedef global struct child_records* records_ptr;
typedef global struct child_record* record_ptr;
typedef global struct child_command* command_ptr;

// The compiler's functions: the address of the launch's records, and what opaque types are made of.
ulong __quern_children(void);
__attribute__((const)) ulong __quern_queue_bits(queue_t queue);
__attribute__((const)) queue_t __quern_queue(ulong bits);
__attribute__((const)) ulong __quern_event_bits(clk_event_t event);
__attribute__((const)) clk_event_t __quern_event(ulong bits);

#define QUEUE_BYTES(BITS) ((uint)(BITS))
#define NO_EVENT 0ul

static inline records_ptr records(void) {
  return (records_ptr)__quern_children();
}

static inline global struct block_limits* first_block(records_ptr all) {
  return (global struct block_limits*)(all + 1);
}

// A record of `bytes` bytes, a multiple of 8, where all then have no more than `limit`; else null.
// `*event`, where it is asked for, is a number that no other record of the launch has.
static inline record_ptr append(records_ptr all, const private struct child_launch* launch,
                                uint kind, ulong bytes, ulong limit, private ulong* event) {
  ulong used = __opencl_atomic_load(&all->used, memory_order_relaxed, memory_scope_device);
  do {
    if (used + bytes > limit)
      return 0;
  } while (!__opencl_atomic_compare_exchange_strong(&all->used, &used, used + bytes,
                                                    memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_device));
  global uchar* first = (global uchar*)(first_block(all) + launch->block_count);
  record_ptr record = (record_ptr)(first + used);
  record->bytes = (uint)bytes;
  record->kind = kind;
  if (event)
    *event = launch->first_event + used / sizeof(struct child_record);
  return record;
}
