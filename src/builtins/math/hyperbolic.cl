// sinh, cosh and tanh of float and double.
#ifndef WIDTH
#include "each_width.h"
#else

BUILTIN Float exp(Float x);
BUILTIN Double expm1(Double x);

// Of |x| = n * log(2) + rest: the sine and, less 1, the cosine of the rest, and a number whose low
// bits are n, larger by 126 or 1022. The polynomials have errors below 2^-27 and 2^-57 up to half
// of log(2). To keep 2^(n - 1) within the range of the type the rest becomes as large as log(2)
// before the results leave that range, and the errors 2^-24 and 2^-55. Beyond, the magnitude is
// cut.
static inline BUILTIN Float split(Float magnitude, Float* sine, Float* excess) {
  const float rounder = 0x1.8p23f + 126.0f;
  Float cut = magnitude > 89.7f ? (Float)89.7f : magnitude;
  Float steps = cut * 0x1.715476p+0f;
  Float rounded = (steps > 128.0f ? (Float)128.0f : steps) + rounder, whole = rounded - rounder;
  Float rest = (cut - whole * 0x1.62e4p-1f) - whole * 0x1.7f7d1cp-20f, square = rest * rest;
  Float odd = (2.005657298e-4f * square + 8.332869969e-3f) * square + 0.1666666865f;
  Float even = (1.404526643e-3f * square + 4.166468605e-2f) * square + 0.5f;
  *sine = odd * square * rest + rest;
  *excess = even * square;
  return rounded;
}
static inline BUILTIN Double split(Double magnitude, Double* sine, Double* excess) {
  const double rounder = 0x1.8p52 + 1022.0;
  Double cut = magnitude > 710.7 ? (Double)710.7 : magnitude;
  Double steps = cut * 0x1.71547652b82fep+0;
  Double rounded = (steps > 1024.0 ? (Double)1024.0 : steps) + rounder, whole = rounded - rounder;
  Double rest = (cut - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33;
  Double square = rest * rest;
  Double odd = 1.6175296047454407e-10 * square + 2.505143522367331e-8;
  odd = (odd * square + 2.7557321081106502e-6) * square + 1.984126983877712e-4;
  odd = (odd * square + 8.3333333333348199e-3) * square + 0.16666666666666663;
  Double even = 2.1041527587347763e-9 * square + 2.7556440933912988e-7;
  even = (even * square + 2.4801589429130208e-5) * square + 1.3888888886613192e-3;
  even = (even * square + 4.166666666667513e-2) * square + 0.5;
  *sine = odd * square * rest + rest;
  *excess = even * square;
  return rounded;
}

// 2^n and 2^-n are halved; the inverse of a large power is of no account.
#define HYPERBOLIC(Number, Integer, FRACTION_BITS, HALF_EXPONENT)                                  \
  static inline BUILTIN Number sine_or_cosine(Number x, bool is_sine) {                            \
    Number sine, excess, rounded = split(__builtin_elementwise_abs(x), &sine, &excess);            \
    Integer bits = bits_of(rounded) << FRACTION_BITS;                                              \
    Integer inverted = ((Integer)(2 * HALF_EXPONENT) << FRACTION_BITS) - bits;                     \
    Number power = number_of(bits);                                                                \
    Number inverse = number_of(__builtin_elementwise_max(inverted, (Integer)0));                   \
    Number sum = power + inverse, difference = power - inverse;                                    \
    return is_sine ? difference + (difference * excess + sum * sine)                               \
                   : sum + (sum * excess + difference * sine);                                     \
  }                                                                                                \
  BUILTIN Number sinh(Number x) {                                                                  \
    return __builtin_elementwise_copysign(sine_or_cosine(x, true), x);                             \
  }                                                                                                \
  BUILTIN Number cosh(Number x) {                                                                  \
    return sine_or_cosine(x, false);                                                               \
  }
HYPERBOLIC(Float, Int, 23, 126)
HYPERBOLIC(Double, Long, 52, 1022)
#undef HYPERBOLIC

// A polynomial where the result is small, with an error below 2^-25 of it; beyond, what is
// subtracted from 1 is small enough for the errors of exp.
BUILTIN Float tanh(Float x) {
  Float magnitude = __builtin_elementwise_abs(x), square = x * x;
  Float curve = (-6.096714176e-3f * square + 2.099717967e-2f) * square - 5.385090783e-2f;
  curve = (curve * square + 0.1333276927f) * square - 0.3333332837f;
  Float small = curve * square * magnitude + magnitude;
  Float large = 1.0f - 2.0f / (exp(magnitude + magnitude) + 1.0f);
  Float result = magnitude < 0.625f ? small : large;
  return number_of(bits_of(result) | (bits_of(x) & INT_MIN));
}

// With t = e^2x - 1 it is t / (t + 2), and 1 from 20 on.
BUILTIN Double tanh(Double x) {
  Double magnitude = __builtin_elementwise_abs(x);
  Double cut = magnitude > 20.0 ? (Double)20.0 : magnitude, t = expm1(cut + cut);
  return __builtin_elementwise_copysign(t / (t + 2.0), x);
}
#endif
