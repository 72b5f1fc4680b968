// log1p, asinh, acosh and atanh of float and double: logarithms of sums whose rounding counts.
#ifndef WIDTH
#include "each_width.h"
#else

#include "double_parts.h"
#include "logarithm_of_parts.h"

// log(2^factor * (sum + rest)) for a positive normal sum and a rest of less than its last digit.
// With sum = 2^exponent * (1 + f) the rest adds rest / 2^exponent / (1 + f); the less f is, the
// more that counts, and the closer 1 - f + f^2 is to 1 / (1 + f).
static inline BUILTIN Float logarithm_of_sum(Float sum, Float rest, Float factor) {
private
  Float exponent;
  Float f = split_normal(sum, &exponent);
  Int bits = (127 << 23) - ((bits_of(sum) - ROOT_OF_HALF_float) & ~0x7fffff);
  Float inverse_power = number_of(__builtin_elementwise_max(bits, (Int)0));
  return logarithm_of_parts(f, exponent + factor, rest * inverse_power * (1.0f + (f * f - f)));
}
static inline BUILTIN Double logarithm_of_sum(Double sum, Double rest, Double factor) {
private
  Double exponent;
  Double f = split_normal(sum, &exponent);
  Long bits = (1023l << 52) - ((bits_of(sum) - ROOT_OF_HALF_double) & ~0xfffffffffffffl);
  Double inverse_power = number_of(__builtin_elementwise_max(bits, (Long)0));
  exponent += factor;
  Double small = rest * inverse_power * (1.0 + (f * f - f));
  small += exponent * 0x1.a39ef35793c76p-33 - excess_of_log(f);
  return exponent * 0x1.62e42feep-1 + (f + small);
}

// asinh(x) is log(1 + y) with y = |x| + x^2 / (1 + sqrt(1 + x^2)), and acosh(1 + t) with
// y = t + sqrt(2 t + t^2); both are log(2 * |x|) where the square would be too large.
#define LOGARITHMS_OF_SUMS(Number, Integer, LARGE)                                                 \
  BUILTIN Number log1p(Number x) {                                                                 \
    Number sum = 1 + x;                                                                            \
    Number result = logarithm_of_sum(sum, x - (sum - 1), (Number)0);                               \
    result = x < INFINITY ? __builtin_elementwise_copysign(result, x) : x;                         \
    result = x < -1 ? (Number)NAN : result;                                                        \
    return x == -1 ? (Number)-INFINITY : result;                                                   \
  }                                                                                                \
  static inline BUILTIN Number logarithm_unless_large(Number x, Number y) {                        \
    Integer is_large = x > LARGE;                                                                  \
    Number sum = 1 + y;                                                                            \
    return logarithm_of_sum(is_large ? x : sum, is_large ? (Number)0 : y - (sum - 1),              \
                            is_large ? (Number)1 : (Number)0);                                     \
  }                                                                                                \
  BUILTIN Number asinh(Number x) {                                                                 \
    Number magnitude = __builtin_elementwise_abs(x), square = x * x;                               \
    Number y = magnitude + square / (1 + __builtin_elementwise_sqrt(1 + square));                  \
    Number result = logarithm_unless_large(magnitude, y);                                          \
    return magnitude < INFINITY ? __builtin_elementwise_copysign(result, x) : x;                   \
  }                                                                                                \
  BUILTIN Number acosh(Number x) {                                                                 \
    Number t = x - 1, y = t + __builtin_elementwise_sqrt(t * (t + 2));                             \
    Number result = logarithm_unless_large(x, y);                                                  \
    result = x >= 1 ? result : (Number)NAN;                                                        \
    return x < INFINITY ? result : x;                                                              \
  }                                                                                                \
  BUILTIN Number atanh(Number x) {                                                                 \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Number result = (Number)0.5 * log1p((magnitude + magnitude) / (1 - magnitude));                \
    return __builtin_elementwise_copysign(result, x);                                              \
  }
LOGARITHMS_OF_SUMS(Float, Int, 0x1p15f)
LOGARITHMS_OF_SUMS(Double, Long, 0x1p30)

#undef LOGARITHMS_OF_SUMS
#undef ROOT_OF_HALF_float
#undef ROOT_OF_HALF_double
#undef ROUNDER
#endif
