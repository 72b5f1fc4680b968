// ceil, floor, rint, round and trunc: one instruction each, or a few.
#include "types.h"

#define ROUNDING(N, T, S, U, BITS)                                                                 \
  BUILTIN T##N ceil(T##N x) {                                                                      \
    return __builtin_elementwise_ceil(x);                                                          \
  }                                                                                                \
  BUILTIN T##N floor(T##N x) {                                                                     \
    return __builtin_elementwise_floor(x);                                                         \
  }                                                                                                \
  BUILTIN T##N rint(T##N x) {                                                                      \
    return __builtin_elementwise_roundeven(x);                                                     \
  }                                                                                                \
  BUILTIN T##N round(T##N x) {                                                                     \
    return __builtin_elementwise_round(x);                                                         \
  }                                                                                                \
  BUILTIN T##N trunc(T##N x) {                                                                     \
    return __builtin_elementwise_trunc(x);                                                         \
  }
EACH_FLOATING_AND_HALF(EACH_WIDTH, ROUNDING)
