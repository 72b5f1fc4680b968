// all, any, bitselect and select: conditions are the highest bits of vector elements, but whole
// scalars.
#include "types.h"

#define ALL_AND_ANY(N, T, S, U, BITS)                                                              \
  BUILTIN int any(T##N x) {                                                                        \
    return __builtin_reduce_or(x) < 0;                                                             \
  }                                                                                                \
  BUILTIN int all(T##N x) {                                                                        \
    return __builtin_reduce_and(x) < 0;                                                            \
  }
#define ALL_AND_ANY_OF_SCALAR(N, T, S, U, BITS)                                                    \
  BUILTIN int any(T x) {                                                                           \
    return x < 0;                                                                                  \
  }                                                                                                \
  BUILTIN int all(T x) {                                                                           \
    return x < 0;                                                                                  \
  }
EACH_SIGNED(EACH_VECTOR, ALL_AND_ANY)
EACH_SIGNED(SCALAR_ONLY, ALL_AND_ANY_OF_SCALAR)

#define BITSELECT(N, T, S, U, BITS)                                                                \
  BUILTIN T##N bitselect(T##N zeros, T##N ones, T##N mask) {                                       \
    U##N chosen = REINTERPRET(N, U, mask);                                                         \
    return REINTERPRET(                                                                            \
        N, T, (U##N)((REINTERPRET(N, U, zeros) & ~chosen) | (REINTERPRET(N, U, ones) & chosen)));  \
  }
EACH_TYPE(EACH_WIDTH, BITSELECT)

#define SELECT(N, T, S, U, BITS)                                                                   \
  BUILTIN T##N select(T##N otherwise, T##N chosen, S##N condition) {                               \
    return condition ? chosen : otherwise;                                                         \
  }                                                                                                \
  BUILTIN T##N select(T##N otherwise, T##N chosen, U##N condition) {                               \
    return REINTERPRET(N, S, condition) ? chosen : otherwise;                                      \
  }
EACH_TYPE(EACH_WIDTH, SELECT)
