// The functions of float that -cl-fast-relaxed-math and -cl-unsafe-math-optimizations allow
// (section "Relative Error as ULPs", the table for unsafe math), under names that the compiler puts
// in the place of the full functions' ones. Subnormal numbers may be taken and given as zero, and
// infinity and NaN are not looked after; results that do not fit are infinite all the same.
#ifndef WIDTH
#include "each_width.h"
#else

// Adding this number rounds to an integer, which is then found in the low bits of the sum.
#define ROUNDER 0x1.8p23f

// The polynomial's exponent is changed in place: 128 makes infinity of 1.
BUILTIN Float __relaxed_exp2(Float x) {
  Float cut = x > 128.0f ? (Float)128.0f : x;
  Float rounded = cut + ROUNDER, rest = cut - (rounded - ROUNDER);
  Float curve = (1.326461905e-3f * rest + 9.671536274e-3f) * rest + 5.550734326e-2f;
  curve = ((curve * rest + 0.2402224243f) * rest + 0.6931470037f) * rest + 1.0f;
  Float power = number_of(bits_of(curve) + (bits_of(rounded) << 23));
  return x < -126.0f ? (Float)0.0f : power;
}

BUILTIN Float __relaxed_exp(Float x) {
  return __relaxed_exp2(x * 0x1.715476p+0f);
}

BUILTIN Float __relaxed_exp10(Float x) {
  return __relaxed_exp2(x * 0x1.a934fp+1f);
}

// 2^exponent * (1 + f), as in logarithm.cl.
static inline BUILTIN Float split_normal(Float x, private Float* exponent) {
  Int steps = bits_of(x) - 0x3f3504f3;
  *exponent = to_float(steps >> 23);
  return number_of((steps & 0x7fffff) + 0x3f3504f3) - 1.0f;
}

static inline BUILTIN Float curve_of_log2(Float f) {
  Float curve = (-0.1458133906f * f + 0.2340435833f) * f - 0.2488768101f;
  curve = ((curve * f + 0.2870985568f) * f - 0.360239625f) * f + 0.4809232354f;
  return (curve * f - 0.7213528156f) * f + 1.442694902f;
}

BUILTIN Float __relaxed_log2(Float x) {
private
  Float exponent;
  Float f = split_normal(x, &exponent);
  Float result = f * curve_of_log2(f) + exponent;
  return x < 0x1p-126f ? (Float)-INFINITY : result;
}

BUILTIN Float __relaxed_log(Float x) {
  return __relaxed_log2(x) * 0x1.62e43p-1f;
}

BUILTIN Float __relaxed_log10(Float x) {
  return __relaxed_log2(x) * 0x1.344136p-2f;
}

BUILTIN Float __relaxed_powr(Float x, Float y) {
  return __relaxed_exp2(y * __relaxed_log2(x));
}

BUILTIN Float __relaxed_pow(Float x, Float y) {
  Float power =
      __relaxed_exp2(y == 0.0f ? (Float)0.0f : y * __relaxed_log2(__builtin_elementwise_abs(x)));
  Float half_y = y * 0.5f;
  Int is_whole = __builtin_elementwise_trunc(y) == y;
  Int is_odd = is_whole && __builtin_elementwise_trunc(half_y) != half_y;
  power = number_of(bits_of(power) ^ (is_odd ? bits_of(x) & INT_MIN : (Int)0));
  return (x < 0.0f && !is_whole) ? (Float)NAN : power;
}

// x less a multiple of pi, given in three parts of which the products with small multiples are
// exact.
static inline BUILTIN Float without_multiple_of_pi(Float x, Float multiple) {
  return ((x - multiple * 0x1.92p+1f) - multiple * 0x1.fb4p-11f) - multiple * 0x1.4442d2p-23f;
}

// For |x| up to pi / 2, with the sign that the lowest bit gives it. The polynomial is as exact as
// float is: the specification would allow a term less, but programs add up what they compute of it.
static inline BUILTIN Float signed_sine(Float x, Int sign) {
  Float square = x * x;
  Float curve = (0x1.5cf828p-19f * square - 0x1.9f5fe2p-13f) * square + 0x1.110e6ap-7f;
  curve = curve * square - 0x1.555548p-3f;
  return number_of(bits_of(x + x * (square * curve)) ^ (sign << 31));
}

BUILTIN Float __relaxed_sin(Float x) {
  Float rounded = x * 0x1.45f306p-2f + ROUNDER;
  return signed_sine(without_multiple_of_pi(x, rounded - ROUNDER), bits_of(rounded));
}

BUILTIN Float __relaxed_cos(Float x) {
  Float rounded = (x * 0x1.45f306p-2f - 0.5f) + ROUNDER;
  return signed_sine(without_multiple_of_pi(x, (rounded - ROUNDER) + 0.5f), bits_of(rounded) + 1);
}

BUILTIN Float __relaxed_tan(Float x) {
  return __relaxed_sin(x) / __relaxed_cos(x);
}

BUILTIN Float native_cos(Float x) {
  return __relaxed_cos(x);
}
BUILTIN Float native_divide(Float x, Float y) {
  return x / y;
}
BUILTIN Float native_exp(Float x) {
  return __relaxed_exp(x);
}
BUILTIN Float native_exp2(Float x) {
  return __relaxed_exp2(x);
}
BUILTIN Float native_exp10(Float x) {
  return __relaxed_exp10(x);
}
BUILTIN Float native_log(Float x) {
  return __relaxed_log(x);
}
BUILTIN Float native_log2(Float x) {
  return __relaxed_log2(x);
}
BUILTIN Float native_log10(Float x) {
  return __relaxed_log10(x);
}
BUILTIN Float native_powr(Float x, Float y) {
  return __relaxed_powr(x, y);
}
BUILTIN Float native_recip(Float x) {
  return 1.0f / x;
}
BUILTIN Float native_rsqrt(Float x) {
  return 1.0f / __builtin_elementwise_sqrt(x);
}
BUILTIN Float native_sin(Float x) {
  return __relaxed_sin(x);
}
BUILTIN Float native_sqrt(Float x) {
  return __builtin_elementwise_sqrt(x);
}
BUILTIN Float native_tan(Float x) {
  return __relaxed_tan(x);
}

#undef ROUNDER
#endif
