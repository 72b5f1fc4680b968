// erf and erfc of float: a polynomial for small arguments, exp(-x^2) * curve(1 / (x + 3 / 2)) for
// the others.
#ifndef WIDTH
#include "each_width.h"
#else

// erfc of a magnitude from 1 / 2 on, in double: the exponent needs the exact square, and subnormal
// results are rounded once. Beyond 16, where the result is 0 as for infinity, the magnitude is cut.
static inline BUILTIN Double large_erfc(Float magnitude) {
  Float cut = magnitude > 16.0f ? (Float)16.0f : magnitude;
  Float t = 1.0f / (cut + 1.5f);
  Float curve = (-4.636203289f * t + 10.50840759f) * t - 7.856943607f;
  curve = ((curve * t + 0.928496182f) * t + 0.4208272696f) * t + 1.005434036f;
  curve = ((curve * t + 0.8454797864f) * t + 0.5642037988f) * t;
  Double wide = to_double(cut);
  Double exponent = wide * wide * -0x1.71547652b82fep+0;
  Double rounded = exponent + 0x1.8p52, rest = exponent - (rounded - 0x1.8p52);
  Double power = 0.000153533281929957728 * rest + 0.00133989006779119306;
  power = (power * rest + 0.00961843766904208614) * rest + 0.0555033240997226465;
  power = (power * rest + 0.240226479095820455) * rest + 0.693147202877986368;
  Double scale = number_of((bits_of(rounded) + 1023) << 52);
  return (power * rest + 1.0) * scale * to_double(curve);
}

// erf for magnitudes up to 1.
static inline BUILTIN Float small_erf(Float x) {
  Float square = x * x;
  Float curve = (7.847222878e-5f * square - 8.008345612e-4f) * square + 5.188135896e-3f;
  curve = ((curve * square - 2.685372159e-2f) * square + 0.1128358319f) * square - 0.3761262596f;
  return x * (curve * square + 1.128379107f);
}

BUILTIN Float erf(Float x) {
  Float magnitude = __builtin_elementwise_abs(x);
  Float large = __builtin_elementwise_copysign(to_float(1.0 - large_erfc(magnitude)), x);
  return magnitude < 1.0f ? small_erf(x) : large;
}

BUILTIN Float erfc(Float x) {
  Float above = to_float(large_erfc(__builtin_elementwise_abs(x)));
  Float outside = x > 0.0f ? above : 2.0f - above;
  return (x < 0.5f && x > -1.0f) ? 1.0f - small_erf(x) : outside;
}
#endif
