// enqueue_kernel and enqueue_marker, and what may be asked of a block (OpenCL C 3.0, 6.15.18), as
// the front end calls them: blocks as their kernels' names (abi::blockId) and their literals.
#include "child_records.h"

#define FUNCTION __attribute__((always_inline))
// Beside the program's flags: it was built with -g, and is told what was wrong.
#define FLAG_TELLS_ERRORS 0x100

// In generic memory a literal begins with its size.
#define LITERAL_BYTES(literal) (*(const generic uint*)(literal))

struct child {
  ulong queue;
  ulong block;
  const generic uchar* literal;
  uint literal_bytes;
  uint wait_count;
  const generic clk_event_t* waits;
  generic clk_event_t* event;
  uint local_count;
  const private ulong* local_sizes;
};

static global struct block_limits* limits_of(records_ptr all, ulong block) {
  global struct block_limits* limits = first_block(all);
  const uint count = all->launch.block_count;
  uint i = 0;
  while (i + 1 < count && limits[i].id != block)
    ++i;
  return limits + i;
}

static int is_waitable(uint count, const generic clk_event_t* waits) {
  if ((count == 0) != (waits == 0))
    return 0;
  for (uint i = 0; i < count; ++i)
    if (__quern_event_bits(waits[i]) == NO_EVENT)
      return 0;
  return 1;
}

static int is_range(const private ndrange_t* range, uint max_group, uint whole_groups) {
  if (range->workDimension < 1 || range->workDimension > 3)
    return 0;
  if (range->localWorkSize[0] == 0)
    return 1;
  ulong items = 1;
  for (uint i = 0; i < 3; ++i) {
    const ulong local_size = range->localWorkSize[i];
    if (local_size == 0 || local_size > max_group)
      return 0;
    if (whole_groups && range->globalWorkSize[i] % local_size != 0)
      return 0;
    items *= local_size;
  }
  return items <= max_group;
}

// A record with what all commands have; `*status` says why there is none.
static command_ptr add_command(records_ptr all, const private struct child_launch* launch,
                               uint kind, const private struct child* child, int* status) {
  const ulong bytes = sizeof(struct child_command) +
                      8ul * (child->wait_count + child->local_count) +
                      (child->literal_bytes + 7ul) / 8 * 8;
  const ulong limit = min((ulong)QUEUE_BYTES(child->queue), launch->capacity);
  ulong event;
  command_ptr command = (command_ptr)append(all, launch, kind, bytes, limit, &event);
  if (!command) {
    *status = CLK_DEVICE_QUEUE_FULL;
    return 0;
  }
  command->record.event = child->event ? event : NO_EVENT;
  command->queue = child->queue;
  command->block = child->block;
  command->wait_count = child->wait_count;
  command->local_count = child->local_count;
  command->literal_bytes = child->literal_bytes;
  global ulong* more = (global ulong*)(command + 1);
  for (uint i = 0; i < child->wait_count; ++i)
    *more++ = __quern_event_bits(child->waits[i]);
  for (uint i = 0; i < child->local_count; ++i)
    *more++ = child->local_sizes[i];
  __builtin_memcpy((generic uchar*)more, child->literal, child->literal_bytes);
  if (child->event)
    *child->event = __quern_event(event);
  *status = CLK_SUCCESS;
  return command;
}

static int enqueue(const private ndrange_t* range, const private struct child* child) {
  records_ptr all = records();
  const struct child_launch launch = all->launch;
  if (QUEUE_BYTES(child->queue) == 0)
    return CLK_INVALID_QUEUE;
  if (!is_range(range, launch.max_work_group_size_of_all, launch.whole_groups) &&
      !is_range(range, limits_of(all, child->block)->max_work_group_size, launch.whole_groups))
    return CLK_INVALID_NDRANGE;
  if (!is_waitable(child->wait_count, child->waits))
    return CLK_INVALID_EVENT_WAIT_LIST;
  ulong local_bytes = 0;
  for (uint i = 0; i < child->local_count; ++i) {
    if (child->local_sizes[i] == 0)
      return CLK_INVALID_ARG_SIZE;
    local_bytes += min(child->local_sizes[i], launch.local_mem_bytes + 1);
  }
  if (local_bytes > launch.local_mem_bytes)
    return CLK_OUT_OF_RESOURCES;
  int status;
  command_ptr command = add_command(all, &launch, RECORD_KERNEL, child, &status);
  if (!command)
    return status;
  command->work_dim = range->workDimension;
  for (uint i = 0; i < 3; ++i) {
    command->offset[i] = range->globalWorkOffset[i];
    command->global_size[i] = range->globalWorkSize[i];
    command->local_size[i] = range->localWorkSize[i];
  }
  return CLK_SUCCESS;
}

// Out of line: what enqueues is large, and nothing beside it.
BUILTIN_RARE int __quern_enqueue(queue_t queue, uint flags, const private ndrange_t* range,
                                 uint wait_count, const generic clk_event_t* waits,
                                 generic clk_event_t* event, generic void* block,
                                 generic void* literal, uint literal_bytes, uint local_count,
                                 const private ulong* local_sizes) {
  const struct child child = {__quern_queue_bits(queue),
                              (ulong)block,
                              (const generic uchar*)literal,
                              literal_bytes,
                              wait_count,
                              waits,
                              event,
                              local_count,
                              local_sizes};
  const int status = enqueue(range, &child);
  return status == CLK_SUCCESS || (flags & FLAG_TELLS_ERRORS) ? status : CLK_ENQUEUE_FAILURE;
}

FUNCTION int __enqueue_kernel_basic(queue_t queue, uint flags, const private ndrange_t* range,
                                    generic void* block, generic void* literal) {
  return __quern_enqueue(queue, flags, range, 0, 0, 0, block, literal, LITERAL_BYTES(literal), 0,
                         0);
}
FUNCTION int __enqueue_kernel_varargs(queue_t queue, uint flags, const private ndrange_t* range,
                                      generic void* block, generic void* literal, uint local_count,
                                      const private ulong* local_sizes) {
  return __quern_enqueue(queue, flags, range, 0, 0, 0, block, literal, LITERAL_BYTES(literal),
                         local_count, local_sizes);
}
FUNCTION int __enqueue_kernel_basic_events(queue_t queue, uint flags,
                                           const private ndrange_t* range, uint wait_count,
                                           const generic clk_event_t* waits,
                                           generic clk_event_t* event, generic void* block,
                                           generic void* literal) {
  return __quern_enqueue(queue, flags, range, wait_count, waits, event, block, literal,
                         LITERAL_BYTES(literal), 0, 0);
}
FUNCTION int __enqueue_kernel_events_varargs(queue_t queue, uint flags,
                                             const private ndrange_t* range, uint wait_count,
                                             const generic clk_event_t* waits,
                                             generic clk_event_t* event, generic void* block,
                                             generic void* literal, uint local_count,
                                             const private ulong* local_sizes) {
  return __quern_enqueue(queue, flags, range, wait_count, waits, event, block, literal,
                         LITERAL_BYTES(literal), local_count, local_sizes);
}
// For SPIR-V, where a block is given any bytes.
FUNCTION int __quern_enqueue_bytes(queue_t queue, uint flags, const private ndrange_t* range,
                                   uint wait_count, const generic clk_event_t* waits,
                                   generic clk_event_t* event, generic void* block,
                                   generic void* literal, uint literal_bytes, uint local_count,
                                   const private ulong* local_sizes) {
  return __quern_enqueue(queue, flags, range, wait_count, waits, event, block, literal,
                         literal_bytes, local_count, local_sizes);
}

BUILTIN int enqueue_marker(queue_t queue, uint wait_count, const generic clk_event_t* waits,
                           generic clk_event_t* event) {
  const struct child child = {__quern_queue_bits(queue), 0, 0, 0, wait_count, waits, event, 0, 0};
  if (QUEUE_BYTES(child.queue) == 0 || wait_count == 0 || !is_waitable(wait_count, waits))
    return CLK_ENQUEUE_FAILURE;
  records_ptr all = records();
  const struct child_launch launch = all->launch;
  int status;
  return add_command(all, &launch, RECORD_MARKER, &child, &status) ? CLK_SUCCESS
                                                                   : CLK_ENQUEUE_FAILURE;
}

BUILTIN queue_t get_default_queue(void) {
  return __quern_queue(records()->launch.default_queue);
}

FUNCTION uint __get_kernel_work_group_size_impl(generic void* block, generic void* literal) {
  return limits_of(records(), (ulong)block)->max_work_group_size;
}
FUNCTION uint __get_kernel_preferred_work_group_size_multiple_impl(generic void* block,
                                                                   generic void* literal) {
  return limits_of(records(), (ulong)block)->preferred_work_group_multiple;
}

static uint group_items(const private ndrange_t* range) {
  ulong items = 1;
  for (uint i = 0; i < range->workDimension; ++i)
    items *= max(range->localWorkSize[i], 1ul);
  return (uint)items;
}
FUNCTION uint __get_kernel_max_sub_group_size_for_ndrange_impl(const private ndrange_t* range,
                                                               generic void* block,
                                                               generic void* literal) {
  return min(limits_of(records(), (ulong)block)->sub_group_size, group_items(range));
}
FUNCTION uint __get_kernel_sub_group_count_for_ndrange_impl(const private ndrange_t* range,
                                                            generic void* block,
                                                            generic void* literal) {
  const uint size = limits_of(records(), (ulong)block)->sub_group_size;
  return (group_items(range) + size - 1) / size;
}

// Of SPIR-V alone.
FUNCTION uint __quern_get_kernel_max_sub_groups(generic void* block, generic void* literal) {
  const global struct block_limits* limits = limits_of(records(), (ulong)block);
  return (limits->max_work_group_size + limits->sub_group_size - 1) / limits->sub_group_size;
}
// Of one dimension; 0 where a work-group cannot have so many sub-groups.
FUNCTION uint __quern_get_kernel_local_size_for_sub_groups(uint count, generic void* block,
                                                           generic void* literal) {
  const global struct block_limits* limits = limits_of(records(), (ulong)block);
  const ulong items = (ulong)count * limits->sub_group_size;
  return items <= limits->max_work_group_size ? (uint)items : 0;
}
