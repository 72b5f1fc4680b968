// exp, exp2, exp10, expm1, log, log2 and log10 of double, with the same reductions as those of
// float.
#ifndef WIDTH
#include "each_width.h"
#else

#include "double_parts.h"

static inline BUILTIN Double cut_to(Double x, double low, double high) {
  Double cut = x < (Double)low ? (Double)low : x;
  return cut > (Double)high ? (Double)high : cut;
}

BUILTIN Double exp(Double x) {
  Double cut = cut_to(x, -760.0, 720.0);
  Double whole = (cut * 0x1.71547652b82fep+0 + ROUNDER) - ROUNDER;
  Double rest = (cut - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33;
  return scaled_power(rest, whole);
}

BUILTIN Double exp2(Double x) {
  Double cut = cut_to(x, -1100.0, 1030.0);
  Double whole = (cut + ROUNDER) - ROUNDER;
  return scaled_power((cut - whole) * 0x1.62e42fefa39efp-1, whole);
}

BUILTIN Double exp10(Double x) {
  Double cut = cut_to(x, -330.0, 310.0);
  Double whole = (cut * 0x1.a934f0979a371p+1 + ROUNDER) - ROUNDER;
  Double rest = (cut - whole * 0x1.34413508p-2) - whole * 0x1.f79fef311f12bp-34;
  return scaled_power(rest * 0x1.26bb1bbb55516p+1, whole);
}

// 2^n * (e^rest - 1) + (2^n - 1), computed as for float (exponential.cl). The error of the
// polynomial is below 2^-61.
BUILTIN Double expm1(Double x) {
  Double cut = cut_to(x, -38.0, 710.0);
  Double rounded = cut * 0x1.71547652b82fep+0 + ROUNDER, whole = rounded - ROUNDER;
  Double rest = (cut - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33;
  Double curve = 2.0878917468761938e-9 * rest + 2.5108902624117899e-8;
  curve = (curve * rest + 2.7557387562964274e-7) * rest + 2.7557244728487033e-6;
  curve = (curve * rest + 2.4801587197047552e-5) * rest + 1.9841269885444499e-4;
  curve = (curve * rest + 1.3888888888943477e-3) * rest + 8.3333333333219881e-3;
  curve = (curve * rest + 4.1666666666666574e-2) * rest + 0.16666666666666677;
  Double half_power = number_of((bits_of(rounded) << 52) + (1022l << 52));
  Double power_of_rest = rest + (curve * rest + 0.5) * (rest * rest);
  Double result = power_of_rest * half_power + (half_power - 0.5);
  return __builtin_elementwise_abs(x) < 0x1p-54 ? x : result + result;
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
#undef ROOT_OF_HALF_double
#endif
