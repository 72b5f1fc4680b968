// log, log2, log10, log1p and asinh of float: x = 2^exponent * (1 + f), where 1 + f lies between
// the square roots of 1/2 and 2 and a polynomial in f gives its logarithm.
#ifndef WIDTH
#include "each_width.h"
#else

#define ROOT_OF_HALF 0x3f3504f3

static inline BUILTIN Float split_number(Float x, private Float* exponent) {
  Int is_subnormal = x < 0x1p-126f;
  Float normal = is_subnormal ? x * 0x1p25f : x;
  Int steps = bits_of(normal) - ROOT_OF_HALF;
  *exponent = to_float(steps >> 23) - (is_subnormal ? (Float)25.0f : (Float)0.0f);
  return number_of((steps & 0x7fffff) + ROOT_OF_HALF) - 1.0f;
}

// The results for which no logarithm is computed: infinity and NaN for themselves, of zero and of
// negative numbers.
static inline BUILTIN Float finite_logarithm(Float x, Float result) {
  result = x < INFINITY ? result : x;
  result = x < 0.0f ? (Float)NAN : result;
  return x == 0.0f ? (Float)-INFINITY : result;
}

// The logarithm of 2 is split into a part of few digits, whose product with the exponent is exact,
// and the rest. The errors of the polynomials, relative to the logarithm, are below 2^-24.
static inline BUILTIN Float logarithm_of_parts(Float f, Float exponent, Float rest) {
  Float curve = (-7.646140456e-2f * f + 0.1277911812f) * f - 0.1316417903f;
  curve = ((curve * f + 0.1419969797f) * f - 0.1662276685f) * f + 0.2000129223f;
  curve = (curve * f - 0.2500083745f) * f + 0.3333333135f;
  Float square = f * f;
  Float small = (curve * f) * square + (exponent * 0x1.7f7d1cp-20f + rest);
  small = small - 0.5f * square;
  return exponent * 0x1.62e4p-1f + (f + small);
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
  Float curve = (-0.1101223603f * f + 0.1864468604f) * f - 0.1911289394f;
  curve = ((curve * f + 0.2045650035f) * f - 0.2396059036f) * f + 0.2885687947f;
  curve = ((curve * f - 0.3606971204f) * f + 0.4808982313f) * f - 0.721347332f;
  return finite_logarithm(x, exponent + f * (curve * f + 1.442695022f));
}

BUILTIN Float log10(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  Float curve = (-3.315013275e-2f * f + 5.612609535e-2f) * f - 5.753554404e-2f;
  curve = ((curve * f + 6.158020347e-2f) * f - 7.212856412e-2f) * f + 8.686786145e-2f;
  curve = ((curve * f - 0.1085806563f) * f + 0.1447647959f) * f - 0.2171471864f;
  Float small = f * (curve * f + 0.434294492f) + exponent * 0x1.3509f8p-18f;
  return finite_logarithm(x, exponent * 0x1.344p-2f + small);
}

// log(2^factor * (sum + rest)) for a positive normal sum and a rest of less than its last digit.
// With sum = 2^exponent * (1 + f) the rest adds rest / 2^exponent / (1 + f); the less f is, the
// more that counts, and the closer 1 - f + f^2 is to 1 / (1 + f).
static inline BUILTIN Float logarithm_of_sum(Float sum, Float rest, Float factor) {
private
  Float exponent;
  Float f = split_number(sum, &exponent);
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
