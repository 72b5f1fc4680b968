// Clocks (cl_khr_kernel_clock). The processor's time stamp counter runs at the same speed on all of
// its cores, so one clock serves every scope.
#include "types.h"

#define CLOCK(SCOPE)                                                                               \
  BUILTIN ulong clock_read_##SCOPE(void) {                                                         \
    return __builtin_readcyclecounter();                                                           \
  }                                                                                                \
  BUILTIN uint2 clock_read_hilo_##SCOPE(void) {                                                    \
    return as_uint2(clock_read_##SCOPE());                                                         \
  }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
