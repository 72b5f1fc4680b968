// The mathematical functions of half: those of float, rounded to half. A result of float is exact
// where one of half is defined to be, and otherwise closer than the limits of half by far.
#include "half.h"
#include "in_float.h"

EACH_WIDTH(IN_FLOAT_1, acos)
EACH_WIDTH(IN_FLOAT_1, acosh)
EACH_WIDTH(IN_FLOAT_1, acospi)
EACH_WIDTH(IN_FLOAT_1, asin)
EACH_WIDTH(IN_FLOAT_1, asinh)
EACH_WIDTH(IN_FLOAT_1, asinpi)
EACH_WIDTH(IN_FLOAT_1, atan)
EACH_WIDTH(IN_FLOAT_1, atanh)
EACH_WIDTH(IN_FLOAT_1, atanpi)
EACH_WIDTH(IN_FLOAT_1, cbrt)
EACH_WIDTH(IN_FLOAT_1, cos)
EACH_WIDTH(IN_FLOAT_1, cosh)
EACH_WIDTH(IN_FLOAT_1, cospi)
EACH_WIDTH(IN_FLOAT_1, erf)
EACH_WIDTH(IN_FLOAT_1, erfc)
EACH_WIDTH(IN_FLOAT_1, exp)
EACH_WIDTH(IN_FLOAT_1, exp2)
EACH_WIDTH(IN_FLOAT_1, exp10)
EACH_WIDTH(IN_FLOAT_1, expm1)
EACH_WIDTH(IN_FLOAT_1, lgamma)
EACH_WIDTH(IN_FLOAT_1, log)
EACH_WIDTH(IN_FLOAT_1, log2)
EACH_WIDTH(IN_FLOAT_1, log10)
EACH_WIDTH(IN_FLOAT_1, log1p)
EACH_WIDTH(IN_FLOAT_1, logb)
EACH_WIDTH(IN_FLOAT_1, rsqrt)
EACH_WIDTH(IN_FLOAT_1, sin)
EACH_WIDTH(IN_FLOAT_1, sinh)
EACH_WIDTH(IN_FLOAT_1, sinpi)
EACH_WIDTH(IN_FLOAT_1, tan)
EACH_WIDTH(IN_FLOAT_1, tanh)
EACH_WIDTH(IN_FLOAT_1, tanpi)
EACH_WIDTH(IN_FLOAT_1, tgamma)
EACH_WIDTH(IN_FLOAT_2, atan2)
EACH_WIDTH(IN_FLOAT_2, atan2pi)
EACH_WIDTH(IN_FLOAT_2, fmod)
EACH_WIDTH(IN_FLOAT_2, hypot)
EACH_WIDTH(IN_FLOAT_2, pow)
EACH_WIDTH(IN_FLOAT_2, powr)
EACH_WIDTH(IN_FLOAT_2, remainder)
EACH_WIDTH(IN_FLOAT_WITH_INTEGER, ldexp)
EACH_WIDTH(IN_FLOAT_WITH_INTEGER, pown)
EACH_WIDTH(IN_FLOAT_WITH_INTEGER, rootn)

// The product of two halves is exact in double, and what the sum loses there is too small to decide
// the rounding to half.
#define OTHERS(N, ...)                                                                             \
  BUILTIN_OUT_OF_LINE int##N ilogb(float##N x);                                                    \
  BUILTIN int##N ilogb(half##N x) {                                                                \
    return ilogb(WIDE(N, x));                                                                      \
  }                                                                                                \
  BUILTIN half##N fma(half##N x, half##N y, half##N z) {                                           \
    double##N sum = CONVERT(N, double, x) * CONVERT(N, double, y) + CONVERT(N, double, z);         \
    return REINTERPRET(N, half, to_half_rte(sum));                                                 \
  }                                                                                                \
  /* A fraction of float can be closer to 1 than any half below. */                                \
  static inline BUILTIN half##N below_one(half##N fraction) {                                      \
    return fraction >= (half##N)1 ? (half##N)0x1.ffcp-1f : fraction;                               \
  }                                                                                                \
  EACH_SPACE(IN_SPACE, N)
#define IN_SPACE(SPACE, N)                                                                         \
  BUILTIN half##N fract(half##N x, SPACE half##N* whole) {                                         \
  private                                                                                          \
    float##N wide_whole;                                                                           \
    half##N fraction = NARROW(N, fract(WIDE(N, x), &wide_whole));                                  \
    *whole = NARROW(N, wide_whole);                                                                \
    return below_one(fraction);                                                                    \
  }                                                                                                \
  BUILTIN half##N modf(half##N x, SPACE half##N* whole) {                                          \
  private                                                                                          \
    float##N wide_whole;                                                                           \
    half##N fraction = NARROW(N, modf(WIDE(N, x), &wide_whole));                                   \
    *whole = NARROW(N, wide_whole);                                                                \
    return fraction;                                                                               \
  }                                                                                                \
  BUILTIN half##N sincos(half##N x, SPACE half##N* cosine) {                                       \
    *cosine = cos(x);                                                                              \
    return sin(x);                                                                                 \
  }                                                                                                \
  BUILTIN half##N frexp(half##N x, SPACE int##N* exponent) {                                       \
    return NARROW(N, frexp(WIDE(N, x), exponent));                                                 \
  }                                                                                                \
  BUILTIN half##N lgamma_r(half##N x, SPACE int##N* sign) {                                        \
    return NARROW(N, lgamma_r(WIDE(N, x), sign));                                                  \
  }                                                                                                \
  BUILTIN half##N remquo(half##N x, half##N y, SPACE int##N* quotient) {                           \
    return NARROW(N, remquo(WIDE(N, x), WIDE(N, y), quotient));                                    \
  }
#define DECLARED(SPACE, N)                                                                         \
  BUILTIN_OUT_OF_LINE float##N fract(float##N x, SPACE float##N* whole);                           \
  BUILTIN_OUT_OF_LINE float##N modf(float##N x, SPACE float##N* whole);                            \
  BUILTIN_OUT_OF_LINE float##N frexp(float##N x, SPACE int##N* exponent);                          \
  BUILTIN_OUT_OF_LINE float##N lgamma_r(float##N x, SPACE int##N* sign);                           \
  BUILTIN_OUT_OF_LINE float##N remquo(float##N x, float##N y, SPACE int##N* quotient);
#define DECLARED_IN_SPACES(N, ...) EACH_SPACE(DECLARED, N)
EACH_WIDTH(DECLARED_IN_SPACES)
EACH_WIDTH(OTHERS)

#define LDEXP_BY_SCALAR(N, ...)                                                                    \
  BUILTIN half##N ldexp(half##N x, int count) {                                                    \
    return ldexp(x, (int##N)count);                                                                \
  }
EACH_VECTOR(LDEXP_BY_SCALAR)
