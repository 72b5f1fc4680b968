// sinh, cosh and tanh of double.
#ifndef WIDTH
#include "each_width.h"
#else

// Adding this number rounds to an integer and leaves it, larger by 1022, in the low bits of the
// sum.
#define ROUNDER (0x1.8p52 + 1022.0)

BUILTIN Double expm1(Double x);

// As for float (hyperbolic.cl). The polynomials have errors below 2^-57 up to half of log(2), and
// 2^-55 where the rest is as large as log(2).
static inline BUILTIN Double sine_or_cosine(Double x, bool is_sine) {
  Double magnitude = __builtin_elementwise_abs(x);
  Double cut = magnitude > 710.7 ? (Double)710.7 : magnitude;
  Double steps = cut * 0x1.71547652b82fep+0;
  Double rounded = (steps > 1024.0 ? (Double)1024.0 : steps) + ROUNDER;
  Double whole = rounded - ROUNDER;
  Double rest = (cut - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33;
  Double square = rest * rest;
  Double odd = 1.6175296047454407e-10 * square + 2.505143522367331e-8;
  odd = (odd * square + 2.7557321081106502e-6) * square + 1.984126983877712e-4;
  odd = (odd * square + 8.3333333333348199e-3) * square + 0.16666666666666663;
  Double even = 2.1041527587347763e-9 * square + 2.7556440933912988e-7;
  even = (even * square + 2.4801589429130208e-5) * square + 1.3888888886613192e-3;
  even = (even * square + 4.166666666667513e-2) * square + 0.5;
  Long bits = bits_of(rounded) << 52;
  Double sine = odd * square * rest + rest, excess = even * square;
  Double power = number_of(bits);
  Double inverse = number_of(__builtin_elementwise_max((2044l << 52) - bits, (Long)0));
  Double sum = power + inverse, difference = power - inverse;
  return is_sine ? difference + (difference * excess + sum * sine)
                 : sum + (sum * excess + difference * sine);
}

BUILTIN Double sinh(Double x) {
  return __builtin_elementwise_copysign(sine_or_cosine(x, true), x);
}

BUILTIN Double cosh(Double x) {
  return sine_or_cosine(x, false);
}

// With t = e^2x - 1 it is t / (t + 2), and 1 from 20 on.
BUILTIN Double tanh(Double x) {
  Double magnitude = __builtin_elementwise_abs(x);
  Double cut = magnitude > 20.0 ? (Double)20.0 : magnitude, t = expm1(cut + cut);
  return __builtin_elementwise_copysign(t / (t + 2.0), x);
}

#undef ROUNDER
#endif
