// clamp, max and min of integers.
#include "types.h"

#define BOUNDS(N, T, S, U, BITS)                                                                   \
  BUILTIN T##N max(T##N x, T##N y) {                                                               \
    return __builtin_elementwise_max(x, y);                                                        \
  }                                                                                                \
  BUILTIN T##N min(T##N x, T##N y) {                                                               \
    return __builtin_elementwise_min(x, y);                                                        \
  }                                                                                                \
  BUILTIN T##N clamp(T##N x, T##N low, T##N high) {                                                \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);                     \
  }
EACH_INTEGER(EACH_WIDTH, BOUNDS)

#define WITH_SCALAR(N, T, S, U, BITS)                                                              \
  BUILTIN T##N max(T##N x, T y) {                                                                  \
    return __builtin_elementwise_max(x, (T##N)y);                                                  \
  }                                                                                                \
  BUILTIN T##N min(T##N x, T y) {                                                                  \
    return __builtin_elementwise_min(x, (T##N)y);                                                  \
  }                                                                                                \
  BUILTIN T##N clamp(T##N x, T low, T high) {                                                      \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (T##N)low), (T##N)high);         \
  }
EACH_INTEGER(EACH_VECTOR, WITH_SCALAR)
