// fmod and remainder for processors with fused multiply-adds. Where the quotient is an integer of
// its type, what it leaves is exact, and at most one divisor too small.
#ifndef WIDTH
#include "lanes.h"

#define RARE(T, name)                                                                              \
  BUILTIN_OUT_OF_LINE T name(T x, T y);                                                            \
  BUILTIN_RARE T __fma_rare_##name(T x, T y) {                                                     \
    return name(x, y);                                                                             \
  }                                                                                                \
  static inline BUILTIN T rare_##name(T x, T y) {                                                  \
    return __fma_rare_##name(x, y);                                                                \
  }                                                                                                \
  EACH_VECTOR(RARE_ELEMENTS, T, name)
#define RARE_ELEMENTS(N, T, name)                                                                  \
  static inline BUILTIN T##N rare_##name(T##N x, T##N y) {                                         \
    T##N result;                                                                                   \
    for (int i = 0; i < N; ++i)                                                                    \
      result[i] = rare_##name(x[i], y[i]);                                                         \
    return result;                                                                                 \
  }
RARE(float, fmod)
RARE(float, remainder)
RARE(double, fmod)
RARE(double, remainder)
#undef RARE
#undef RARE_ELEMENTS

#include "each_width.h"
#else

// Quotients of 0 and infinity and of large numbers are none of these, nor are those of NaN.
#define REMAINDERS(Number, Integer, MANY, SIGN)                                                    \
  static inline BUILTIN Number rest_of(Number size, Number divisor, private Number* quotient) {    \
    *quotient = __builtin_elementwise_trunc(size / divisor);                                       \
    Number rest = __builtin_elementwise_fma(-*quotient, divisor, size);                            \
    Integer is_beyond = rest < 0;                                                                  \
    *quotient = is_beyond ? *quotient - 1 : *quotient;                                             \
    return is_beyond ? rest + divisor : rest;                                                      \
  }                                                                                                \
  static inline BUILTIN Integer is_ordinary(Number quotient, Number divisor) {                     \
    return quotient < MANY && divisor < INFINITY;                                                  \
  }                                                                                                \
  BUILTIN Number __fma_fmod(Number x, Number y) {                                                  \
  private                                                                                          \
    Number quotient;                                                                               \
    Number divisor = __builtin_elementwise_abs(y);                                                 \
    Number rest = rest_of(__builtin_elementwise_abs(x), divisor, &quotient);                       \
    Number result = __builtin_elementwise_copysign(rest, x);                                       \
    if (UNLIKELY(any_lane(!is_ordinary(quotient, divisor))))                                       \
      result = is_ordinary(quotient, divisor) ? result : rare_fmod(x, y);                          \
    return result;                                                                                 \
  }                                                                                                \
  BUILTIN Number __fma_remainder(Number x, Number y) {                                             \
  private                                                                                          \
    Number quotient;                                                                               \
    Number divisor = __builtin_elementwise_abs(y);                                                 \
    Number rest = rest_of(__builtin_elementwise_abs(x), divisor, &quotient);                       \
    Number opposite = divisor - rest, half_quotient = quotient * (Number)0.5;                      \
    Integer is_odd = __builtin_elementwise_trunc(half_quotient) != half_quotient;                  \
    Integer is_beyond = rest > opposite || (rest == opposite && is_odd);                           \
    Number nearest = is_beyond ? -opposite : rest;                                                 \
    Number result = number_of(bits_of(nearest) ^ (bits_of(x) & SIGN));                             \
    if (UNLIKELY(any_lane(!is_ordinary(quotient, divisor))))                                       \
      result = is_ordinary(quotient, divisor) ? result : rare_remainder(x, y);                     \
    return result;                                                                                 \
  }
REMAINDERS(Float, Int, 0x1p23f, INT_MIN)
REMAINDERS(Double, Long, 0x1p52, LONG_MIN)
#undef REMAINDERS
#endif
