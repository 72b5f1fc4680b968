// exp, log, log2 and log10 of double for NVIDIA's GPUs: as in math/double_exponential.cl, but with
// fused multiply-adds, without a division, and with branches for arguments that are rare.
#ifndef WIDTH
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define fma __builtin_elementwise_fma

BUILTIN Double exp(Double x);

// The result is a normal number up to this magnitude.
#define LARGEST_ORDINARY 708.0

BUILTIN Double __nvptx_exp(Double x) {
  Double rounded = fma(x, (Double)0x1.71547652b82fep+0, (Double)0x1.8p52);
  Double whole = rounded - 0x1.8p52;
  Double rest = fma(whole, (Double)-0x1.62e42fefa39efp-1, x);
  rest = fma(whole, (Double)-0x1.abc9e3b39803fp-56, rest);
  Double curve = fma((Double)2.5115231031972239e-8, rest, (Double)2.76255264333848811e-7);
  curve = fma(curve, rest, (Double)2.75572256531333628e-6);
  curve = fma(curve, rest, (Double)2.48015078431296793e-5);
  curve = fma(curve, rest, (Double)1.98412699053816105e-4);
  curve = fma(curve, rest, (Double)1.38888889274499058e-3);
  curve = fma(curve, rest, (Double)8.33333333331371523e-3);
  curve = fma(curve, rest, (Double)4.16666666666023894e-2);
  curve = fma(curve, rest, (Double)0.166666666666666879);
  curve = fma(fma(curve, rest, (Double)0.5), rest, (Double)1.0);
  Double result = number_of(bits_of(fma(curve, rest, (Double)1.0)) + (bits_of(rounded) << 52));
  Long is_rare = !(__builtin_elementwise_abs(x) < LARGEST_ORDINARY);
  if (UNLIKELY(any_lane(is_rare)))
    result = is_rare ? exp(x) : result;
  return result;
}

#define ROOT_OF_HALF 0x3fe6a09e667f3bcdl
#define FRACTION_MASK 0xfffffffffffffl

// x = 2^exponent * (1 + f) as in math/double_parts.h.
static inline BUILTIN Double split_number(Double x, private Double* exponent) {
  Long is_subnormal = x < 0x1p-1022;
  Long steps = bits_of(is_subnormal ? x * 0x1p54 : x) - ROOT_OF_HALF;
  Double bias = is_subnormal ? (Double)(0x1p52 + 1023 + 54) : (Double)(0x1p52 + 1023);
  *exponent = number_of(((steps + (1023l << 52)) >> 52) | 0x4330000000000000l) - bias;
  return number_of((steps & FRACTION_MASK) + ROOT_OF_HALF) - 1.0;
}

// f - log(1 + f) as in math/double_exponential.cl.
static inline BUILTIN Double excess_of_log(Double f) {
  Double s = f * refined_reciprocal(2.0 + f), square = s * s;
  Double curve = fma((Double)0.147990724457307848, square, (Double)0.153137551777200176);
  curve = fma(curve, square, (Double)0.181835751872539447);
  curve = fma(curve, square, (Double)0.222221983780339361);
  curve = fma(curve, square, (Double)0.285714287441468096);
  curve = fma(curve, square, (Double)0.399999999994074484);
  curve = fma(curve, square, (Double)0.666666666666673513);
  return s * fma(-curve, square, f);
}

// Of a number that is no positive finite one: NaN, infinity, -infinity of zero.
static inline BUILTIN Double special_logarithm(Double x) {
  Double result = x < 0.0 ? (Double)NAN : x;
  return x == 0.0 ? (Double)-INFINITY : result;
}

static inline BUILTIN Double unless_special(Double x, Double result) {
  Long is_special = !(x > 0.0 && x < INFINITY);
  if (UNLIKELY(any_lane(is_special)))
    result = is_special ? special_logarithm(x) : result;
  return result;
}

BUILTIN Double __nvptx_log(Double x) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  Double small = fma(exponent, (Double)0x1.a39ef35793c76p-33, -excess_of_log(f));
  return unless_special(x, fma(exponent, (Double)0x1.62e42feep-1, f + small));
}

BUILTIN Double __nvptx_log2(Double x) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  return unless_special(x, fma(f - excess_of_log(f), (Double)0x1.71547652b82fep+0, exponent));
}

BUILTIN Double __nvptx_log10(Double x) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  Double small =
      fma(exponent, (Double)0x1.f79fef311f12bp-34, (f - excess_of_log(f)) * 0x1.bcb7b1526e50ep-2);
  return unless_special(x, fma(exponent, (Double)0x1.34413508p-2, small));
}

#undef fma
#undef LARGEST_ORDINARY
#undef ROOT_OF_HALF
#undef FRACTION_MASK
#endif
