// What exponentials, logarithms and powers of double are made of; included once for each width.

#include "scaling.h"

// Adding this number rounds to an integer, which is then found in the low bits of the sum.
#define ROUNDER 0x1.8p52

// e^rest * 2^exponent for |rest| up to half the logarithm of 2.
static inline BUILTIN Double scaled_power(Double rest, Double exponent) {
  Double curve = 2.5115231031972239e-8 * rest + 2.76255264333848811e-7;
  curve = (curve * rest + 2.75572256531333628e-6) * rest + 2.48015078431296793e-5;
  curve = (curve * rest + 1.98412699053816105e-4) * rest + 1.38888889274499058e-3;
  curve = (curve * rest + 8.33333333331371523e-3) * rest + 4.16666666666023894e-2;
  curve = (curve * rest + 0.166666666666666879) * rest + 0.5;
  Double value = 1.0 + (rest + curve * (rest * rest));
  return __quern_scaled(value, exponent);
}

#define ROOT_OF_HALF_double 0x3fe6a09e667f3bcdl

// x = 2^exponent * (1 + f) for a positive normal number, and for any. Written behind the bits of
// 2^52, the exponent becomes a number by a subtraction.
static inline BUILTIN Double split_biased(Double x, Double bias, private Double* exponent) {
  Long steps = bits_of(x) - ROOT_OF_HALF_double;
  *exponent = number_of(((steps + (1023l << 52)) >> 52) | 0x4330000000000000l) - bias;
  return number_of((steps & 0xfffffffffffffl) + ROOT_OF_HALF_double) - 1.0;
}
static inline BUILTIN Double split_normal(Double x, private Double* exponent) {
  return split_biased(x, (Double)(0x1p52 + 1023), exponent);
}
static inline BUILTIN Double split_number(Double x, private Double* exponent) {
  Long is_subnormal = x < 0x1p-1022;
  Double bias = is_subnormal ? (Double)(0x1p52 + 1023 + 54) : (Double)(0x1p52 + 1023);
  return split_biased(is_subnormal ? x * 0x1p54 : x, bias, exponent);
}

// f - log(1 + f). With s = f / (2 + f), log(1 + f) is log((1 + s) / (1 - s)) = 2 s + s * even(s),
// and 2 s is f - s * f.
static inline BUILTIN Double excess_of_log(Double f) {
  Double s = f / (2.0 + f), square = s * s;
  Double curve = 0.147990724457307848 * square + 0.153137551777200176;
  curve = (curve * square + 0.181835751872539447) * square + 0.222221983780339361;
  curve = (curve * square + 0.285714287441468096) * square + 0.399999999994074484;
  return s * (f - (curve * square + 0.666666666666673513) * square);
}
