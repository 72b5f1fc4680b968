// Functions of libclc with wrong results for some arguments, corrected. The corrected function is
// declared under its prefixed name.
#include "floating.h"

// libclc's functions of double lose the sign of zero.
#define ODD(N, T, NAME)                                                                            \
  BUILTIN_OUT_OF_LINE T##N libclc_##NAME(T##N x);                                                  \
  BUILTIN T##N NAME(T##N x) {                                                                      \
    return x == (T##N)0 ? x : libclc_##NAME(x);                                                    \
  }
#define ODD_FUNCTIONS(N, T, S, U, BITS)                                                            \
  ODD(N, T, asin)                                                                                  \
  ODD(N, T, asinpi) ODD(N, T, atan) ODD(N, T, atanpi) ODD(N, T, expm1)
EACH_FLOATING(EACH_WIDTH, ODD_FUNCTIONS)
EACH_WIDTH(ODD, double, erf)

// A zero of sinpi has the sign of its argument, of tanpi the same or the opposite for even and odd
// arguments; those of cospi are positive.
#define CIRCULAR_PI(N, T, S, U, BITS)                                                              \
  BUILTIN_OUT_OF_LINE T##N libclc_sinpi(T##N x);                                                   \
  BUILTIN_OUT_OF_LINE T##N libclc_cospi(T##N x);                                                   \
  BUILTIN_OUT_OF_LINE T##N libclc_tanpi(T##N x);                                                   \
  BUILTIN T##N sinpi(T##N x) {                                                                     \
    T##N result = libclc_sinpi(x);                                                                 \
    return result == (T##N)0 ? __builtin_elementwise_copysign((T##N)0, x) : result;                \
  }                                                                                                \
  BUILTIN T##N cospi(T##N x) {                                                                     \
    return libclc_cospi(x) + (T##N)0;                                                              \
  }                                                                                                \
  BUILTIN T##N tanpi(T##N x) {                                                                     \
    T##N result = libclc_tanpi(x), half_x = x * (T)0.5;                                            \
    T##N zero = __builtin_elementwise_copysign(                                                    \
        (T##N)0, half_x == __builtin_elementwise_trunc(half_x) ? x : -x);                          \
    return result == (T##N)0 ? zero : result;                                                      \
  }
EACH_FLOATING(EACH_WIDTH, CIRCULAR_PI)
