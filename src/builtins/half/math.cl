// The mathematical functions of half: those of float, rounded to half. A result of float is exact
// where one of half is defined to be, and otherwise closer than the limits of half by far.
#include "half.h"

#define WIDE(N, x) CONVERT(N, float, x)
#define NARROW(N, x) CONVERT(N, half, x)

#define UNARY(N, NAME)                                                                             \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x);                                                   \
  BUILTIN half##N NAME(half##N x) {                                                                \
    return NARROW(N, NAME(WIDE(N, x)));                                                            \
  }
#define BINARY(N, NAME)                                                                            \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, float##N y);                                       \
  BUILTIN half##N NAME(half##N x, half##N y) {                                                     \
    return NARROW(N, NAME(WIDE(N, x), WIDE(N, y)));                                                \
  }
#define WITH_INTEGER(N, NAME)                                                                      \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, int##N n);                                         \
  BUILTIN half##N NAME(half##N x, int##N n) {                                                      \
    return NARROW(N, NAME(WIDE(N, x), n));                                                         \
  }
EACH_WIDTH(UNARY, acos)
EACH_WIDTH(UNARY, acosh)
EACH_WIDTH(UNARY, acospi)
EACH_WIDTH(UNARY, asin)
EACH_WIDTH(UNARY, asinh)
EACH_WIDTH(UNARY, asinpi)
EACH_WIDTH(UNARY, atan)
EACH_WIDTH(UNARY, atanh)
EACH_WIDTH(UNARY, atanpi)
EACH_WIDTH(UNARY, cbrt)
EACH_WIDTH(UNARY, cos)
EACH_WIDTH(UNARY, cosh)
EACH_WIDTH(UNARY, cospi)
EACH_WIDTH(UNARY, erf)
EACH_WIDTH(UNARY, erfc)
EACH_WIDTH(UNARY, exp)
EACH_WIDTH(UNARY, exp2)
EACH_WIDTH(UNARY, exp10)
EACH_WIDTH(UNARY, expm1)
EACH_WIDTH(UNARY, lgamma)
EACH_WIDTH(UNARY, log)
EACH_WIDTH(UNARY, log2)
EACH_WIDTH(UNARY, log10)
EACH_WIDTH(UNARY, log1p)
EACH_WIDTH(UNARY, logb)
EACH_WIDTH(UNARY, rsqrt)
EACH_WIDTH(UNARY, sin)
EACH_WIDTH(UNARY, sinh)
EACH_WIDTH(UNARY, sinpi)
EACH_WIDTH(UNARY, tan)
EACH_WIDTH(UNARY, tanh)
EACH_WIDTH(UNARY, tanpi)
EACH_WIDTH(UNARY, tgamma)
EACH_WIDTH(BINARY, atan2)
EACH_WIDTH(BINARY, atan2pi)
EACH_WIDTH(BINARY, fmod)
EACH_WIDTH(BINARY, hypot)
EACH_WIDTH(BINARY, pow)
EACH_WIDTH(BINARY, powr)
EACH_WIDTH(BINARY, remainder)
EACH_WIDTH(WITH_INTEGER, ldexp)
EACH_WIDTH(WITH_INTEGER, pown)
EACH_WIDTH(WITH_INTEGER, rootn)

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
