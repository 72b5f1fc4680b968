// exp, exp2, exp10, log, log2 and log10 of double, with the same reductions as those of float.
#ifndef WIDTH
#include "each_width.h"
#else

// Adding this number rounds to an integer, which is then found in the low bits of the sum.
#define ROUNDER 0x1.8p52

static inline BUILTIN Double cut_to(Double x, double low, double high) {
  Double cut = x < (Double)low ? (Double)low : x;
  return cut > (Double)high ? (Double)high : cut;
}

// e^rest * 2^exponent for |rest| up to half the logarithm of 2, in two steps as for float.
static inline BUILTIN Double scaled_power(Double rest, Long exponent) {
  Double curve = (2.5115231031972239e-8 * rest + 2.76255264333848811e-7) * rest;
  curve = ((curve + 2.75572256531333628e-6) * rest + 2.48015078431296793e-5) * rest;
  curve = ((curve + 1.98412699053816105e-4) * rest + 1.38888889274499058e-3) * rest;
  curve = ((curve + 8.33333333331371523e-3) * rest + 4.16666666666023894e-2) * rest;
  curve = (curve + 0.166666666666666879) * rest + 0.5;
  Double value = 1.0 + (rest + curve * (rest * rest));
  Long half_exponent = exponent >> 1;
  return value * number_of((half_exponent + 1023) << 52) *
         number_of((exponent - half_exponent + 1023) << 52);
}

BUILTIN Double exp(Double x) {
  Double cut = cut_to(x, -760.0, 720.0);
  Double rounded = cut * 0x1.71547652b82fep+0 + ROUNDER, whole = rounded - ROUNDER;
  Double rest = (cut - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33;
  return scaled_power(rest, bits_of(rounded) - bits_of((Double)ROUNDER));
}

BUILTIN Double exp2(Double x) {
  Double cut = cut_to(x, -1100.0, 1030.0);
  Double rounded = cut + ROUNDER;
  Double rest = (cut - (rounded - ROUNDER)) * 0x1.62e42fefa39efp-1;
  return scaled_power(rest, bits_of(rounded) - bits_of((Double)ROUNDER));
}

BUILTIN Double exp10(Double x) {
  Double cut = cut_to(x, -330.0, 310.0);
  Double rounded = cut * 0x1.a934f0979a371p+1 + ROUNDER, whole = rounded - ROUNDER;
  Double rest = (cut - whole * 0x1.34413508p-2) - whole * 0x1.f79fef311f12bp-34;
  return scaled_power(rest * 0x1.26bb1bbb55516p+1, bits_of(rounded) - bits_of((Double)ROUNDER));
}

#define ROOT_OF_HALF 0x3fe6a09e667f3bcdl

// x = 2^exponent * (1 + f). Written behind the bits of 2^52, the exponent becomes a number by a
// subtraction.
static inline BUILTIN Double split_number(Double x, private Double* exponent) {
  Long is_subnormal = x < 0x1p-1022;
  Double normal = is_subnormal ? x * 0x1p54 : x;
  Long steps = bits_of(normal) - ROOT_OF_HALF;
  Double bias = is_subnormal ? (Double)(0x1p52 + 1023 + 54) : (Double)(0x1p52 + 1023);
  *exponent = number_of(((steps + (1023l << 52)) >> 52) | 0x4330000000000000l) - bias;
  return number_of((steps & 0xfffffffffffffl) + ROOT_OF_HALF) - 1.0;
}

// f - log(1 + f). With s = f / (2 + f), log(1 + f) is log((1 + s) / (1 - s)) = 2 s + s * even(s),
// and 2 s is f - s * f.
static inline BUILTIN Double excess_of_log(Double f) {
  Double s = f / (2.0 + f), square = s * s;
  Double curve = (0.147990724457307848 * square + 0.153137551777200176) * square;
  curve = ((curve + 0.181835751872539447) * square + 0.222221983780339361) * square;
  curve = ((curve + 0.285714287441468096) * square + 0.399999999994074484) * square;
  return s * (f - (curve + 0.666666666666673513) * square);
}

static inline BUILTIN Double finite_logarithm(Double x, Double result) {
  result = x < INFINITY ? result : x;
  result = x < 0.0 ? (Double)NAN : result;
  return x == 0.0 ? (Double)-INFINITY : result;
}

BUILTIN Double log(Double x) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  Double small = exponent * 0x1.a39ef35793c76p-33 - excess_of_log(f);
  return finite_logarithm(x, exponent * 0x1.62e42feep-1 + (f + small));
}

BUILTIN Double log2(Double x) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  return finite_logarithm(x, (f - excess_of_log(f)) * 0x1.71547652b82fep+0 + exponent);
}

BUILTIN Double log10(Double x) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  Double small = (f - excess_of_log(f)) * 0x1.bcb7b1526e50ep-2 + exponent * 0x1.f79fef311f12bp-34;
  return finite_logarithm(x, exponent * 0x1.34413508p-2 + small);
}

#undef ROUNDER
#undef ROOT_OF_HALF
#endif
