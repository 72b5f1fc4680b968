// erf of float: a polynomial for small arguments, and one for the logarithm of what is missing from
// 1; erfc of float: the former, and exp(-x^2) * curve(1 / (x + 3 / 2)). erf of double: polynomials
// for small arguments and for the logarithm of what is missing from 1; erfc of double as of float,
// with a curve of another argument.
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

// erf for magnitudes from 1 on, with an error below 2^-25: 1 - 2^-curve(x - 1). Adding FIRST rounds
// to an integer and leaves it as the exponent of a power of 2. Beyond 3.93 the result is 1.
#define FIRST (0x1.8p23f + 127.0f)
static inline BUILTIN Float large_erf(Float magnitude) {
  Float t = (magnitude > 3.93f ? (Float)3.93f : magnitude) - 1.0f;
  Float curve = (1.659695331e-3f * t - 1.302174502e-2f) * t + 5.918785877e-2f;
  curve = ((curve * t + 1.216519374f) * t + 3.807212385f) * t + 2.668416839f;
  Float rounded = FIRST - curve, rest = (FIRST - rounded) - curve;
  Float power = (1.340726442e-3f * rest + 9.671875069e-3f) * rest + 5.550308344e-2f;
  power = ((power * rest + 0.2402223462f) * rest + 0.6931472149f) * rest + 1.0f;
  return 1.0f - power * number_of(bits_of(rounded) << 23);
}
#undef FIRST

BUILTIN Float erf(Float x) {
  Float magnitude = __builtin_elementwise_abs(x);
  Float large = __builtin_elementwise_copysign(large_erf(magnitude), x);
  return magnitude < 1.0f ? small_erf(x) : large;
}

BUILTIN Float erfc(Float x) {
  Float above = to_float(large_erfc(__builtin_elementwise_abs(x)));
  Float outside = x > 0.0f ? above : 2.0f - above;
  return (x < 0.5f && x > -1.0f) ? 1.0f - small_erf(x) : outside;
}

BUILTIN Double exp(Double x);

// erf for magnitudes up to 1, with an error below 2^-56.
static inline BUILTIN Double small_erf(Double x) {
  Double square = x * x;
  Double curve = -7.7794569182360302e-10 * square + 1.3710974565233476e-8;
  curve = (curve * square - 1.6206312501034674e-7) * square + 1.6447131419736117e-6;
  curve = (curve * square - 1.4924712290809522e-5) * square + 1.2055293576376877e-4;
  curve = (curve * square - 8.5483259292990909e-4) * square + 5.2239776061182011e-3;
  curve = (curve * square - 2.6866170643111441e-2) * square + 0.11283791670944185;
  curve = (curve * square - 0.37612638903183521) * square + 0.12837916709551256;
  return x + x * curve;
}

// 1 - erf(x) from 1 to 5.95, where it is too small to change 1: its logarithm, with an error so
// much larger as it is smaller. In all that is an error below 2^-54 of erf(x).
static inline BUILTIN Double missing_from_one(Double magnitude) {
  Double cut = magnitude > 5.95 ? (Double)5.95 : magnitude, t = cut - 1.0;
  Double curve = -1.7399001353535945e-11 * t + 3.6253681781954986e-10;
  curve = (curve * t - 3.1979225632879564e-9) * t + 1.3828197112898381e-8;
  curve = (curve * t - 7.8100696074801703e-9) * t - 2.973704860577265e-7;
  curve = (curve * t + 2.2563046325352771e-6) * t - 9.7936197880792686e-6;
  curve = (curve * t + 2.7286455457988811e-5) * t - 2.6341311214117757e-5;
  curve = (curve * t - 2.3730018971392634e-4) * t + 1.9778972390207756e-3;
  curve = (curve * t - 1.0033824553796328e-2) * t + 4.1561097967034763e-2;
  curve = (curve * t + 0.84310725636216843) * t + 2.6389675142347255;
  curve = curve * t + 1.8496055099332485;
  return exp(-curve);
}

BUILTIN Double erf(Double x) {
  Double magnitude = __builtin_elementwise_abs(x);
  Double large = __builtin_elementwise_copysign(1.0 - missing_from_one(magnitude), x);
  return magnitude < 1.0 ? small_erf(x) : large;
}

// erfc(x) for x from 0.45 on: exp(-x^2) / (1 + 2 x) * curve((x - 4) / (x + 4)), with an error of
// the curve below 2^-53. The first 26 bits of x have an exact square. Beyond 28 the result is 0.
static inline BUILTIN Double large_erfc(Double magnitude) {
  Double cut = magnitude > 28.0 ? (Double)28.0 : magnitude, t = (cut - 4.0) / (cut + 4.0);
  Double curve = 7.595019794168605e-08 * t + 3.179640039705663e-08;
  curve = (curve * t - 7.863862310807627e-07) * t + 3.4275694960927893e-07;
  curve = (curve * t + 5.683951674790744e-06) * t - 1.1254092000669443e-05;
  curve = (curve * t - 2.4388597016716088e-05) * t + 0.00015063456425477249;
  curve = (curve * t - 0.00019925949783369278) * t - 0.0007577765212587789;
  curve = (curve * t + 0.005031970450265846) * t - 0.016197733561940517;
  curve = (curve * t + 0.03716751548852034) * t - 0.06633036585600884;
  curve = (curve * t + 0.09373283500122569) * t - 0.10103906603433885;
  curve = (curve * t + 0.0680970542546123) * t + 0.015379652102585548;
  curve = (curve * t - 0.13962111684056183) * t + 1.2329951186255526;
  Double first = number_of(bits_of(cut) & ~0x7ffffffl), rest = (cut - first) * (cut + first);
  Double power = exp(-first * first);
  power = power - power * (rest - rest * rest * (0.5 - 0.16666666666666667 * rest));
  return power * (curve / (1.0 + (cut + cut)));
}

BUILTIN Double erfc(Double x) {
  Double above = large_erfc(__builtin_elementwise_abs(x));
  Double outside = x > 0.0 ? above : 2.0 - above;
  return (x < 0.5 && x > -0.5) ? 1.0 - small_erf(x) : outside;
}
#endif
