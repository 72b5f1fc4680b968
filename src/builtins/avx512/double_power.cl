// pow, powr, pown and rootn of double for processors with AVX-512, from the natural logarithm, with
// tables in registers.
#ifndef WIDTH
#include "lanes.h"

#include "sixteenth_powers.h"

// The sixteen intervals that numbers from 43/64 to 43/32 are divided into by the first four bits of
// what their patterns exceed that of 43/64 by. Of a number in each the inverse, of so few bits that
// its product with a number of the interval, less 1, is a double.
#define FIRST_PATTERN 0x3fe5800000000000l
static constant double inverses[16] = {
    0x1.70p+0, 0x1.60p+0, 0x1.58p+0, 0x1.48p+0, 0x1.38p+0, 0x1.30p+0, 0x1.28p+0, 0x1.18p+0,
    0x1.10p+0, 0x1.08p+0, 0x1.00p+0, 0x1.e0p-1, 0x1.c8p-1, 0x1.b0p-1, 0x1.98p-1, 0x1.88p-1,
};
// Its logarithm: a multiple of 2^-42, and the rest.
static constant double logarithms[16] = {
    -0x1.739d7f6bbdp-2,
    -0x1.4618bc21c6p-2,
    -0x1.2e8e2bae12p-2,
    -0x1.fb9186d5e4p-3,
    -0x1.9525a9cf46p-3,
    -0x1.5ff3070a7ap-3,
    -0x1.29552f82p-3,
    -0x1.6f0d28ae58p-4,
    -0x1.f0a30c0118p-5,
    -0x1.f829b0e78p-6,
    0.0,
    0x1.08598b59e4p-4,
    0x1.da72763844p-4,
    0x1.5bf406b544p-3,
    0x1.d1037f2656p-3,
    0x1.1178e8227ep-2,
};
static constant double rests_of_logarithms[16] = {
    -0x1.a7389314feb50p-52,
    0x1.3d82f484c84ccp-46,
    0x1.67b1e99b72bd8p-45,
    0x1.d572aab993c87p-47,
    0x1.297137d9f158fp-44,
    0x1.8586f183bebf2p-44,
    0x1.5b967f4471dfcp-44,
    0x1.4b4641b664613p-44,
    0x1.d599e83368e91p-45,
    -0x1.980267c7e09e4p-45,
    0.0,
    -0x1.7e5dd7009902cp-46,
    0x1.a89401fa71733p-46,
    -0x1.27023eb68981cp-46,
    -0x1.84a7e75b6f6e4p-47,
    0x1.1ef78ce2d07f2p-44,
};

#include "each_width.h"
#else

#include "sixteenth_powers.h"

#define FORM(name) __avx512_##name
#define Number Double
#define Integer Long

static inline BUILTIN Double reciprocal(Double x) {
  return 1.0 / x;
}

static inline BUILTIN Double in_parts(Int n, private Double* second) {
  *second = 0.0;
  return to_double(n);
}

static inline BUILTIN Long is_odd(Int n) {
  return to_long(n & 1) != 0;
}

// With x = 2^exponent * number * (1 + rest), the logarithm is exponent * log(2) + that of the
// number
// + rest - rest^2 / 2 + rest^3 * curve, where the sums of the first two and the following two are
// known in two parts. The error of the polynomial is below 2^-61.
static inline BUILTIN Double logarithm_in_parts(Double x, private Double* second) {
  Long is_subnormal = x < 0x1p-1022;
  Double normal = is_subnormal ? x * 0x1p54 : x;
  Long steps = bits_of(normal) - FIRST_PATTERN, interval = (steps >> 48) & 15;
  Double exponent = to_double(steps >> 52) - (is_subnormal ? (Double)54.0 : (Double)0.0);
  Double fraction = number_of((steps & 0xfffffffffffffl) + FIRST_PATTERN);
  Double rest = fma(fraction, looked_up(inverses, interval), (Double)-1.0);
  Double whole = fma(exponent, (Double)0x1.62e42fefa38p-1, looked_up(logarithms, interval));
  Double small =
      fma(exponent, (Double)0x1.ef35793c7673p-45, looked_up(rests_of_logarithms, interval));
  Double sum = whole + rest;
  small = small + ((whole - sum) + rest);
  Double minus_half = -0.5 * rest, half_square = minus_half * rest, first = sum + half_square;
  small = small + (fma(minus_half, rest, -half_square) + ((sum - first) + half_square));
  Double square = rest * rest;
  Double curve = fma((Double)0.20298564662288379, rest, (Double)-0.22267291356621077);
  curve = fma(curve, square, fma((Double)0.24999460977799301, rest, (Double)-0.28571390123834423));
  curve = fma(curve, square, fma((Double)0.33333333649832547, rest, (Double)-0.4000000001281151));
  curve = fma(curve, square, fma((Double)0.49999999999943651, rest, (Double)-0.66666666666665386));
  small = fma(curve, half_square * rest, small);
  Double result = first + small;
  *second = (first - result) + small;
  return result;
}

static inline BUILTIN Double power_in_parts(Double x, Double tail) {
  Double cut = cut_to(x, -760.0, 720.0);
  return power_of_cut(cut, cut == x ? tail : (Double)0.0);
}

#define IS_ORDINARY is_positive_finite
#define LEAVE_SUBNORMAL(name, x, y, power)
#include "power_forms.h"
#undef IS_ORDINARY
#undef LEAVE_SUBNORMAL

#undef FORM
#undef Number
#undef Integer
#undef fma
#undef ROUNDER
#endif
