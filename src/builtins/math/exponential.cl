// exp, exp2, exp10 and expm1 of float, subnormal results included. Each splits its argument into an
// integer multiple of a base-2 logarithm and a rest for which a polynomial is enough.
#ifndef WIDTH
#include "each_width.h"
#else

#include "scaling.h"

// Adding this number rounds to an integer, which is also found in the low bits of the sum.
#define ROUNDER 0x1.8p23f

static inline BUILTIN Float cut_to(Float x, float low, float high) {
  Float cut = x < (Float)low ? (Float)low : x;
  return cut > (Float)high ? (Float)high : cut;
}

// The logarithms of 2 are split into a part of few digits, whose product with an exponent is exact,
// and the rest. Arguments beyond the range of results are cut to where the result is 0 or infinity;
// NaN passes through every operation. The errors of the polynomials are below 2^-25.
BUILTIN Float exp(Float x) {
  Float cut = cut_to(x, -110.0f, 95.0f);
  Float whole = (cut * 0x1.715476p+0f + ROUNDER) - ROUNDER;
  Float rest = cut - whole * 0x1.62e4p-1f - whole * 0x1.7f7d1cp-20f;
  Float curve = (1.386361197e-3f * rest + 8.36754404e-3f) * rest + 4.16672416e-2f;
  curve = (curve * rest + 0.1666653305f) * rest + 0.5f;
  return __quern_scaled(curve * (rest * rest) + rest + 1.0f, whole);
}

BUILTIN Float exp2(Float x) {
  Float cut = cut_to(x, -160.0f, 130.0f);
  Float whole = (cut + ROUNDER) - ROUNDER, rest = cut - whole;
  Float curve = (1.535332849e-4f * rest + 1.339890063e-3f) * rest + 9.618437849e-3f;
  curve = ((curve * rest + 5.550332367e-2f) * rest + 0.2402264774f) * rest + 0.6931471825f;
  return __quern_scaled(curve * rest + 1.0f, whole);
}

BUILTIN Float exp10(Float x) {
  Float cut = cut_to(x, -47.0f, 40.0f);
  Float whole = (cut * 0x1.a934fp+1f + ROUNDER) - ROUNDER;
  Float rest = cut - whole * 0x1.344p-2f - whole * 0x1.3509f8p-18f;
  Float curve = (0.206320107f * rest + 0.5420303941f) * rest + 1.171292901f;
  curve = ((curve * rest + 2.034649849f) * rest + 2.650948763f) * rest + 2.302585125f;
  return __quern_scaled(curve * rest + 1.0f, whole);
}

// 2^n * (e^rest - 1) + (2^n - 1), of which half is computed since 2^n can be too large. Where that
// would cost a subnormal number its last digit, and a zero its sign, the result is x.
BUILTIN Float expm1(Float x) {
  Float cut = cut_to(x, -18.0f, 89.0f);
  Float rounded = cut * 0x1.715476p+0f + ROUNDER, whole = rounded - ROUNDER;
  Float rest = cut - whole * 0x1.62e4p-1f - whole * 0x1.7f7d1cp-20f;
  Float curve = (1.389825717e-3f * rest + 8.366164751e-3f) * rest + 4.166685417e-2f;
  curve = (curve * rest + 0.1666654795f) * rest + 0.5f;
  Float half_power = number_of((bits_of(rounded) << 23) + (126 << 23));
  Float result = (curve * (rest * rest) + rest) * half_power + (half_power - 0.5f);
  return __builtin_elementwise_abs(x) < 0x1p-26f ? x : result + result;
}

#undef ROUNDER
#endif
