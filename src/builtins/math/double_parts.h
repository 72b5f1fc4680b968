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
