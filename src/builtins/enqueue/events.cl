// Events that kernels make and use (OpenCL C 3.0, 6.15.18).
#include "child_records.h"

// Does nothing where there is no room any more: the launch has done more than a queue takes.
static inline void note(uint kind, ulong event, ulong value) {
  records_ptr all = records();
  const struct child_launch launch = all->launch;
  record_ptr record =
      append(all, &launch, kind, sizeof(struct child_record), launch.capacity, 0);
  if (!record)
    return;
  record->event = event;
  record->value = value;
}

BUILTIN clk_event_t create_user_event(void) {
  records_ptr all = records();
  const struct child_launch launch = all->launch;
  ulong event = NO_EVENT;
  record_ptr record = append(all, &launch, RECORD_USER_EVENT, sizeof(struct child_record),
                             launch.capacity, &event);
  if (record)
    record->event = event;
  return __quern_event(event);
}
BUILTIN void set_user_event_status(clk_event_t event, int status) {
  note(RECORD_SET_STATUS, __quern_event_bits(event), (ulong)(long)status);
}
BUILTIN void retain_event(clk_event_t event) {
  note(RECORD_RETAIN, __quern_event_bits(event), 0);
}
BUILTIN void release_event(clk_event_t event) {
  note(RECORD_RELEASE, __quern_event_bits(event), 0);
}
BUILTIN bool is_valid_event(clk_event_t event) {
  return __quern_event_bits(event) != NO_EVENT;
}

static inline ulong load(volatile global atomic_ulong* from, memory_order order) {
  return __opencl_atomic_load(from, order, memory_scope_all_svm_devices);
}
// Of a command that has ended at once; else when it ends.
BUILTIN void capture_event_profiling_info(clk_event_t event, int name, global void* value) {
  if (name != CLK_PROFILING_COMMAND_EXEC_TIME)
    return;
  const ulong number = __quern_event_bits(event);
  global struct event_times* table = (global struct event_times*)records()->launch.event_times;
  global struct event_times* times = table + number % EVENT_TIMES_COUNT;
  if (load(&times->event, memory_order_acquire) == number) {
    const ulong own = load(&times->own_ns, memory_order_relaxed);
    const ulong complete = load(&times->complete_ns, memory_order_acquire);
    if (load(&times->event, memory_order_relaxed) == number) {
      ((global ulong*)value)[0] = own;
      ((global ulong*)value)[1] = complete;
      return;
    }
  }
  note(RECORD_CAPTURE_TIMES, number, (ulong)value);
}
__attribute__((always_inline)) clk_event_t __quern_null_event(void) {
  return __quern_event(NO_EVENT);
}
