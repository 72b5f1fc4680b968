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

// From 2^63 on, every exponent is even and gives 0, 1 or infinity, but libclc's arithmetic
// overflows for the largest ones.
#define POWERS(N, T, S, U, BITS)                                                                   \
  BUILTIN_OUT_OF_LINE T##N libclc_pow(T##N x, T##N y);                                             \
  BUILTIN_OUT_OF_LINE T##N libclc_powr(T##N x, T##N y);                                            \
  static inline BUILTIN T##N bounded_exponent(T##N y) {                                            \
    T##N size = __builtin_elementwise_abs(y);                                                      \
    return size > (T)0x1p63 && size < (T)INFINITY                                                  \
               ? __builtin_elementwise_copysign((T##N)0x1p63, y)                                   \
               : y;                                                                                \
  }                                                                                                \
  BUILTIN T##N pow(T##N x, T##N y) {                                                               \
    return libclc_pow(x, bounded_exponent(y));                                                     \
  }                                                                                                \
  BUILTIN T##N powr(T##N x, T##N y) {                                                              \
    return libclc_powr(x, bounded_exponent(y));                                                    \
  }
EACH_WIDTH(POWERS, double, long, ulong, 64)
