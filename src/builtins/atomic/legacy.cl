// The atomic functions of OpenCL C 1.x, relaxed and of device scope, and those of the cl_khr_int64
// extensions and OpenCL C 1.0, whose names begin with atom_.
#include "types.h"

// The specification's functions take plain volatile pointers, C11's operations atomic ones; the
// representation is one.
#define OPERATE(OPERATION, SPACE, T, p, ...)                                                       \
  OPERATION((volatile SPACE atomic_##T*)p, __VA_ARGS__, memory_order_relaxed,                      \
            memory_scope_all_svm_devices)

#define FUNCTIONS(PREFIX, SPACE, T)                                                                \
  BUILTIN T PREFIX##_add(volatile SPACE T* p, T x) {                                               \
    return OPERATE(__opencl_atomic_fetch_add, SPACE, T, p, x);                                     \
  }                                                                                                \
  BUILTIN T PREFIX##_sub(volatile SPACE T* p, T x) {                                               \
    return OPERATE(__opencl_atomic_fetch_sub, SPACE, T, p, x);                                     \
  }                                                                                                \
  BUILTIN T PREFIX##_inc(volatile SPACE T* p) {                                                    \
    return OPERATE(__opencl_atomic_fetch_add, SPACE, T, p, (T)1);                                  \
  }                                                                                                \
  BUILTIN T PREFIX##_dec(volatile SPACE T* p) {                                                    \
    return OPERATE(__opencl_atomic_fetch_sub, SPACE, T, p, (T)1);                                  \
  }                                                                                                \
  BUILTIN T PREFIX##_min(volatile SPACE T* p, T x) {                                               \
    return OPERATE(__opencl_atomic_fetch_min, SPACE, T, p, x);                                     \
  }                                                                                                \
  BUILTIN T PREFIX##_max(volatile SPACE T* p, T x) {                                               \
    return OPERATE(__opencl_atomic_fetch_max, SPACE, T, p, x);                                     \
  }                                                                                                \
  BUILTIN T PREFIX##_and(volatile SPACE T* p, T x) {                                               \
    return OPERATE(__opencl_atomic_fetch_and, SPACE, T, p, x);                                     \
  }                                                                                                \
  BUILTIN T PREFIX##_or(volatile SPACE T* p, T x) {                                                \
    return OPERATE(__opencl_atomic_fetch_or, SPACE, T, p, x);                                      \
  }                                                                                                \
  BUILTIN T PREFIX##_xor(volatile SPACE T* p, T x) {                                               \
    return OPERATE(__opencl_atomic_fetch_xor, SPACE, T, p, x);                                     \
  }                                                                                                \
  BUILTIN T PREFIX##_xchg(volatile SPACE T* p, T x) {                                              \
    return OPERATE(__opencl_atomic_exchange, SPACE, T, p, x);                                      \
  }                                                                                                \
  BUILTIN T PREFIX##_cmpxchg(volatile SPACE T* p, T expected, T x) {                               \
  private                                                                                          \
    T found = expected;                                                                            \
    OPERATE(__opencl_atomic_compare_exchange_strong, SPACE, T, p, &found, x,                       \
            memory_order_relaxed);                                                                 \
    return found;                                                                                  \
  }
#define FUNCTIONS_IN_SPACE(SPACE)                                                                  \
  FUNCTIONS(atomic, SPACE, int)                                                                    \
  FUNCTIONS(atomic, SPACE, uint)                                                                   \
  FUNCTIONS(atom, SPACE, int)                                                                      \
  FUNCTIONS(atom, SPACE, uint)                                                                     \
  FUNCTIONS(atom, SPACE, long)                                                                     \
  FUNCTIONS(atom, SPACE, ulong)                                                                    \
  BUILTIN float atomic_xchg(volatile SPACE float* p, float x) {                                    \
    return OPERATE(__opencl_atomic_exchange, SPACE, float, p, x);                                  \
  }
FUNCTIONS_IN_SPACE(global)
FUNCTIONS_IN_SPACE(local)
