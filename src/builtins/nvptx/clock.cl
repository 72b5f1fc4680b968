// The clocks of NVIDIA's GPUs (cl_khr_kernel_clock). A work-group stays on one multiprocessor, whose cycles it counts; for the
// whole device there are nanoseconds.
#include "types.h"

#define CLOCK(SCOPE, READ)                                                                         \
  BUILTIN ulong __nvptx_clock_read_##SCOPE(void) {                                                 \
    return READ();                                                                                 \
  }                                                                                                \
  BUILTIN uint2 __nvptx_clock_read_hilo_##SCOPE(void) {                                            \
    return as_uint2(READ());                                                                       \
  }
CLOCK(device, (ulong)__builtin_readsteadycounter)
CLOCK(work_group, (ulong)__builtin_readcyclecounter)
CLOCK(sub_group, (ulong)__builtin_readcyclecounter)
