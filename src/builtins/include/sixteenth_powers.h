// e^x of double by sixteenth powers of 2, which come from a table that fits into two registers.
// Included once for each width and, for the table, before.
#ifndef WIDTH
// 2^(i / 16).
static constant double powers[16] = {
    0x1p+0,
    0x1.0b5586cf9890fp+0,
    0x1.172b83c7d517bp+0,
    0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0,
    0x1.4bfdad5362a27p+0,
    0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0,
    0x1.8ace5422aa0dbp+0,
    0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0,
    0x1.c199bdd85529cp+0,
    0x1.d5818dcfba487p+0,
    0x1.ea4afa2a490dap+0,
};
#else

#include "scaling.h"

#define fma __builtin_elementwise_fma
// Adding this number rounds to a multiple of 1/16, whose sixteenths are then the lowest bits of the
// sum.
#define ROUNDER 0x1.8p48

static inline BUILTIN Double cut_to(Double x, double low, double high) {
  Double cut = x < (Double)low ? (Double)low : x;
  return cut > (Double)high ? (Double)high : cut;
}

// 2^steps * (1 + change), for `steps` as a multiple of 1/16 and as the sum with ROUNDER.
static inline BUILTIN Double scaled_power(Double steps, Double rounded, Double change) {
  Double power = looked_up(powers, bits_of(rounded) & 15);
  return __quern_scaled(fma(power, change, power), __builtin_elementwise_floor(steps));
}

// e^(x + tail) for an x that is cut to where the result is 0 or infinity. The error of the
// polynomial is below 2^-56.
static inline BUILTIN Double power_of_cut(Double cut, Double tail) {
  Double rounded = fma(cut, (Double)0x1.71547652b82fep+0, (Double)ROUNDER);
  Double steps = rounded - ROUNDER;
  Double rest = fma(steps, (Double)-0x1.62e42fefa39efp-1, cut);
  rest = fma(steps, (Double)-0x1.abc9e3b39803fp-56, rest) + tail;
  Double square = rest * rest;
  Double curve = fma((Double)0.0013889129486213774, rest, (Double)0.0083334722007505427);
  curve = fma(curve, rest, (Double)0.041666666659628163);
  Double low = fma((Double)0.16666666664408852, rest, (Double)0.50000000000000056);
  return scaled_power(steps, rounded, fma(fma(curve, square, low), square, rest));
}
#endif
