// sinh, cosh and tanh of float.
#ifndef WIDTH
#include "each_width.h"
#else

// Adding this number rounds to an integer and leaves it, larger by 126, in the low bits of the sum.
#define ROUNDER (0x1.8p23f + 126.0f)

BUILTIN Float exp(Float x);

// Of |x| = n * log(2) + rest, from the functions of the rest and the powers 2^n and 2^-n, halved.
// The polynomials have errors below 2^-27 up to half of log(2). To keep 2^(n - 1) within the range
// of float the rest becomes as large as log(2) before the results leave that range, and the errors
// 2^-24. Beyond, the magnitude is cut. The inverse of a large power is of no account. The
// cosine of the rest is 1 + excess.
static inline BUILTIN Float sine_or_cosine(Float x, bool is_sine) {
  Float magnitude = __builtin_elementwise_abs(x);
  Float cut = magnitude > 89.7f ? (Float)89.7f : magnitude;
  Float steps = cut * 0x1.715476p+0f;
  Float rounded = (steps > 128.0f ? (Float)128.0f : steps) + ROUNDER, whole = rounded - ROUNDER;
  Float rest = (cut - whole * 0x1.62e4p-1f) - whole * 0x1.7f7d1cp-20f, square = rest * rest;
  Float odd = (2.005657298e-4f * square + 8.332869969e-3f) * square + 0.1666666865f;
  Float even = (1.404526643e-3f * square + 4.166468605e-2f) * square + 0.5f;
  Int bits = bits_of(rounded) << 23;
  Float sine = odd * square * rest + rest, excess = even * square;
  Float power = number_of(bits);
  Float inverse = number_of(__builtin_elementwise_max((252 << 23) - bits, (Int)0));
  Float sum = power + inverse, difference = power - inverse;
  return is_sine ? difference + (difference * excess + sum * sine)
                 : sum + (sum * excess + difference * sine);
}

BUILTIN Float sinh(Float x) {
  return __builtin_elementwise_copysign(sine_or_cosine(x, true), x);
}

BUILTIN Float cosh(Float x) {
  return sine_or_cosine(x, false);
}

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

#undef ROUNDER
#endif
