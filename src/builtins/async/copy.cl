// async_work_group_copy and async_work_group_strided_copy, wait_group_events and prefetch. All
// work-items of a group call a copy; one makes it, at once, and the barrier in wait_group_events
// shows it to the others. Events carry nothing.
#include "types.h"

static inline BUILTIN bool is_first(void) {
  return (get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0;
}

#define COPY(T, TO, FROM)                                                                          \
  BUILTIN event_t async_work_group_copy(TO T* to, const FROM T* from, size_t count,                \
                                        event_t event) {                                           \
    if (is_first())                                                                                \
      __builtin_memcpy(to, from, count * sizeof(T));                                               \
    return event;                                                                                  \
  }
#define PREFETCH_AND_COPIES(N, T, ...)                                                             \
  BUILTIN void prefetch(const global T##N* p, size_t count) {}                                     \
  COPY(T##N, local, global)                                                                        \
  COPY(T##N, global, local)                                                                        \
  BUILTIN event_t async_work_group_strided_copy(local T##N* to, const global T##N* from,           \
                                                size_t count, size_t stride, event_t event) {      \
    if (is_first())                                                                                \
      for (size_t i = 0; i < count; ++i)                                                           \
        to[i] = from[i * stride];                                                                  \
    return event;                                                                                  \
  }                                                                                                \
  BUILTIN event_t async_work_group_strided_copy(global T##N* to, const local T##N* from,           \
                                                size_t count, size_t stride, event_t event) {      \
    if (is_first())                                                                                \
      for (size_t i = 0; i < count; ++i)                                                           \
        to[i * stride] = from[i];                                                                  \
    return event;                                                                                  \
  }
EACH_TYPE(EACH_WIDTH, PREFETCH_AND_COPIES)

#define WAIT(SPACE)                                                                                \
  BUILTIN void wait_group_events(int count, SPACE event_t* events) {                               \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                           \
  }
WAIT(private)
WAIT(generic)
