// fract, modf and sincos: functions that return one result and store another through a pointer to
// any address space.
#include "floating.h"

#define FRACTION(N, T, S, U, BITS)                                                                 \
  static inline BUILTIN T##N fraction_above(T##N x, T##N whole) {                                  \
    /* The difference can round up to 1; the result must stay below. Only zeros and infinities,    \
     * whose sign is kept, are their own */                                                        \
    /* double. */                                                                                  \
    const T##N below_one = REINTERPRET(N, T, (S##N)(REINTERPRET(N, S, (T##N)1) - (S##N)1));        \
    T##N difference = x - whole;                                                                   \
    T##N fraction = difference >= (T##N)1 ? below_one : difference;                                \
    return x + x == x ? __builtin_elementwise_copysign((T##N)0, x) : fraction;                     \
  }                                                                                                \
  static inline BUILTIN T##N fraction_beyond(T##N x, T##N whole) {                                 \
    return __builtin_elementwise_copysign(x == whole ? (T##N)0 : x - whole, x);                    \
  }                                                                                                \
  EACH_SPACE(FRACTION_IN_SPACE, N, T)
#define FRACTION_IN_SPACE(SPACE, N, T)                                                             \
  BUILTIN T##N fract(T##N x, SPACE T##N* whole) {                                                  \
    T##N below = __builtin_elementwise_floor(x);                                                   \
    *whole = below;                                                                                \
    return fraction_above(x, below);                                                               \
  }                                                                                                \
  BUILTIN T##N modf(T##N x, SPACE T##N* whole) {                                                   \
    T##N towards_zero = __builtin_elementwise_trunc(x);                                            \
    *whole = towards_zero;                                                                         \
    return fraction_beyond(x, towards_zero);                                                       \
  }                                                                                                \
  BUILTIN T##N sincos(T##N x, SPACE T##N* cosine) {                                                \
    *cosine = cos(x);                                                                              \
    return sin(x);                                                                                 \
  }
EACH_FLOATING(EACH_WIDTH, FRACTION)
