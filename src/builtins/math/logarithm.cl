// log, log2, log10, log1p and asinh of float.
#ifndef WIDTH
#include "each_width.h"
#else

#include "logarithm_of_parts.h"

static inline BUILTIN Float split_number(Float x, private Float* exponent) {
  Int is_subnormal = x < 0x1p-126f;
  Float f = split_normal(is_subnormal ? x * 0x1p25f : x, exponent);
  *exponent -= is_subnormal ? (Float)25.0f : (Float)0.0f;
  return f;
}

// The results for which no logarithm is computed: infinity and NaN for themselves, of zero and of
// negative numbers.
static inline BUILTIN Float finite_logarithm(Float x, Float result) {
  result = x < INFINITY ? result : x;
  result = x < 0.0f ? (Float)NAN : result;
  return x == 0.0f ? (Float)-INFINITY : result;
}

BUILTIN Float log(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  return finite_logarithm(x, logarithm_of_parts(f, exponent, -0.0f));
}

BUILTIN Float log2(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  return finite_logarithm(x, log2_of_parts(f, exponent));
}

BUILTIN Float log10(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  return finite_logarithm(x, log10_of_parts(f, exponent));
}

// log(2^factor * (sum + rest)) for a positive normal sum and a rest of less than its last digit.
// With sum = 2^exponent * (1 + f) the rest adds rest / 2^exponent / (1 + f); the less f is, the
// more that counts, and the closer 1 - f + f^2 is to 1 / (1 + f).
static inline BUILTIN Float logarithm_of_sum(Float sum, Float rest, Float factor) {
private
  Float exponent;
  Float f = split_normal(sum, &exponent);
  Int bits = (127 << 23) - ((bits_of(sum) - ROOT_OF_HALF) & ~0x7fffff);
  Float inverse_power = number_of(__builtin_elementwise_max(bits, (Int)0));
  return logarithm_of_parts(f, exponent + factor, rest * inverse_power * (1.0f + (f * f - f)));
}

BUILTIN Float log1p(Float x) {
  Float sum = 1.0f + x;
  Float result = logarithm_of_sum(sum, x - (sum - 1.0f), 0.0f);
  result = x < INFINITY ? __builtin_elementwise_copysign(result, x) : x;
  result = x < -1.0f ? (Float)NAN : result;
  return x == -1.0f ? (Float)-INFINITY : result;
}

// log(1 + y) with y = |x| + x^2 / (1 + sqrt(1 + x^2)), which is log(2 * |x|) where the square would
// be too large.
BUILTIN Float asinh(Float x) {
  Float magnitude = __builtin_elementwise_abs(x), square = x * x;
  Int is_large = magnitude > 0x1p15f;
  Float y = magnitude + square / (1.0f + __builtin_elementwise_sqrt(1.0f + square)), sum = 1.0f + y;
  Float result =
      logarithm_of_sum(is_large ? magnitude : sum, is_large ? (Float)0.0f : y - (sum - 1.0f),
                       is_large ? (Float)1.0f : (Float)0.0f);
  return magnitude < INFINITY ? __builtin_elementwise_copysign(result, x) : x;
}

#undef ROOT_OF_HALF
#endif
