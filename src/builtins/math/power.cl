// pow, powr, pown and rootn of float: exp2(y * log2(|x|)), evaluated in double. The range of double
// holds every product, and its precision leaves the result within two units in the last place.
#ifndef WIDTH
#include "each_width.h"
#else

#define ROOT_OF_HALF 0x3fe6a09e667f3bcdl
#define FRACTION_MASK 0xfffffffffffffl

// log2 of a magnitude, infinities and NaN included: 2^exponent * (1 + f) as in logarithm.cl.
// Written behind the bits of 2^52, the exponent becomes a number by a subtraction.
static inline BUILTIN Double wide_log2(Float magnitude) {
  Double wide = to_double(magnitude);
  Long steps = bits_of(wide) - ROOT_OF_HALF;
  Double exponent =
      number_of(((steps + (1023l << 52)) >> 52) | 0x4330000000000000l) - (0x1p52 + 1023);
  Double f = number_of((steps & FRACTION_MASK) + ROOT_OF_HALF) - 1.0;
  Double curve = (-0.086510225587509787 * f + 0.155136936893697758) * f - 0.157067428882150251;
  curve =
      ((curve * f + 0.158959890033221557) * f - 0.179027941478831498) * f + 0.206098002261070917;
  curve = ((curve * f - 0.240505391722979384) * f + 0.28854063078866321) * f - 0.360672772610893311;
  curve = ((curve * f + 0.480898320477495977) * f - 0.72134752538304403) * f + 1.44269504094027146;
  Double result = curve * f + exponent;
  result = wide < INFINITY ? result : wide;
  return wide == 0.0 ? (Double)-INFINITY : result;
}

// exp2, rounded to float once. Beyond +-200 the result is infinity or zero.
static inline BUILTIN Float narrow_exp2(Double x) {
  Double cut = x < -200.0 ? (Double)-200.0 : x;
  cut = cut > 200.0 ? (Double)200.0 : cut;
  Double rounded = cut + 0x1.8p52, rest = cut - (rounded - 0x1.8p52);
  Double curve = 0.000153533281929957728 * rest + 0.00133989006779119306;
  curve = (curve * rest + 0.00961843766904208614) * rest + 0.0555033240997226465;
  curve = (curve * rest + 0.240226479095820455) * rest + 0.693147202877986368;
  return to_float((curve * rest + 1.0) * number_of((bits_of(rounded) + 1023) << 52));
}

static inline BUILTIN Float magnitude_of(Float x) {
  return __builtin_elementwise_abs(x);
}

// The sign of x where the exponent is odd, as bits.
static inline BUILTIN Float signed_power(Float power, Float x, Int is_odd) {
  return number_of(bits_of(power) ^ (is_odd ? bits_of(x) & INT_MIN : (Int)0));
}

// A power of 1, and the power with exponent 0, is 1 whatever the other operand: infinity or NaN.
static inline BUILTIN Double exponent_of_power(Double y, Double logarithm) {
  return (y == 0.0 || logarithm == 0.0) ? (Double)0.0 : y * logarithm;
}

BUILTIN Float pow(Float x, Float y) {
  Float half_y = y * 0.5f;
  Int is_whole = __builtin_elementwise_trunc(y) == y;
  Int is_odd = is_whole && __builtin_elementwise_trunc(half_y) != half_y;
  Float power = narrow_exp2(exponent_of_power(to_double(y), wide_log2(magnitude_of(x))));
  return (x < 0.0f && x > -INFINITY && !is_whole) ? (Float)NAN : signed_power(power, x, is_odd);
}

BUILTIN Float powr(Float x, Float y) {
  Float power = narrow_exp2(to_double(y) * wide_log2(magnitude_of(x)));
  return x < 0.0f ? (Float)NAN : power;
}

BUILTIN Float pown(Float x, Int n) {
  Float power = narrow_exp2(exponent_of_power(to_double(n), wide_log2(magnitude_of(x))));
  return signed_power(power, x, (n & 1) != 0);
}

BUILTIN Float rootn(Float x, Int n) {
  Float root = narrow_exp2(wide_log2(magnitude_of(x)) / to_double(n));
  Int is_odd = (n & 1) != 0;
  return (n == 0 || (x < 0.0f && !is_odd)) ? (Float)NAN : signed_power(root, x, is_odd);
}

#undef ROOT_OF_HALF
#undef FRACTION_MASK
#endif
