// sin, cos and tan of double for NVIDIA's GPUs: as in math/double_circular.cl, but with fused
// multiply-adds, whose first difference is exact.
#ifndef WIDTH
#include "large_quadrants.h"
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define fma __builtin_elementwise_fma

static inline BUILTIN Long is_large(Double x) {
  return !(__builtin_elementwise_abs(x) < LEAST_LARGE);
}

// The rest, times pi / 2, and the quadrant in the two lowest bits. The parts of pi / 2 have one
// sign, so that a zero keeps its own.
static inline BUILTIN Double reduced(Double x, private Long* quadrant) {
  Double rounded = fma(x, (Double)0x1.45f306dc9c883p-1, (Double)0x1.8p52);
  Double whole = rounded - 0x1.8p52;
  *quadrant = bits_of(rounded);
  Double rest = fma(whole, (Double)-0x1.921fb54442d18p+0, x);
  rest = fma(whole, (Double)-0x1.1a62633145c06p-54, rest);
  rest = fma(whole, (Double)-0x1.c1cd129024e08p-107, rest);
  if (UNLIKELY(any_lane(is_large(x)))) {
    Long large_quadrant;
    Double large_rest = rest_of_large(x, &large_quadrant);
    *quadrant = is_large(x) ? large_quadrant : *quadrant;
    rest = is_large(x) ? large_rest : rest;
  }
  return rest;
}

// For |x| up to pi / 4; the errors of the polynomials are below 2^-57. Adding zero keeps the sign
// of a zero.
static inline BUILTIN Double small_sine(Double x, Double square) {
  Double curve = fma((Double)1.58967958805785216e-10, square, (Double)-2.50507581205412383e-8);
  curve = fma(curve, square, (Double)2.75573136919702316e-6);
  curve = fma(curve, square, (Double)-1.98412698298080733e-4);
  curve = fma(curve, square, (Double)8.33333333332241487e-3);
  curve = fma(curve, square, (Double)-0.166666666666666324);
  return fma(fma(curve, square, (Double)0.0), x, x);
}
static inline BUILTIN Double small_cosine(Double square) {
  Double curve = fma((Double)-1.13596472999087614e-11, square, (Double)2.08757232644070541e-9);
  curve = fma(curve, square, (Double)-2.75573143522770833e-7);
  curve = fma(curve, square, (Double)2.48015872894820352e-5);
  curve = fma(curve, square, (Double)-1.38888888888741248e-3);
  curve = fma(curve, square, (Double)4.16666666666666019e-2);
  curve = fma(curve, square, (Double)-0.5);
  return fma(curve, square, (Double)1.0);
}

// Either of the two, with coefficients that are chosen: work-items whose quadrants differ need not
// wait for each other.
static inline BUILTIN Double sine_in_quadrant(Double rest, Long quadrant) {
  Double square = rest * rest;
  Long is_odd = (quadrant & 1) != 0;
  Double curve = is_odd ? (Double)-1.13596472999087614e-11 : (Double)0.0;
  curve =
      fma(curve, square, is_odd ? (Double)2.08757232644070541e-9 : (Double)1.58967958805785216e-10);
  curve = fma(curve, square,
              is_odd ? (Double)-2.75573143522770833e-7 : (Double)-2.50507581205412383e-8);
  curve =
      fma(curve, square, is_odd ? (Double)2.48015872894820352e-5 : (Double)2.75573136919702316e-6);
  curve = fma(curve, square,
              is_odd ? (Double)-1.38888888888741248e-3 : (Double)-1.98412698298080733e-4);
  curve =
      fma(curve, square, is_odd ? (Double)4.16666666666666019e-2 : (Double)8.33333333332241487e-3);
  curve = fma(curve, square, is_odd ? (Double)-0.5 : (Double)-0.166666666666666324);
  Double factor = is_odd ? (Double)1.0 : rest;
  Double value = fma(fma(curve, square, (Double)0.0), factor, factor);
  return number_of(bits_of(value) ^ ((quadrant & 2) << 62));
}

BUILTIN Double __nvptx_sin(Double x) {
private
  Long quadrant;
  Double rest = reduced(x, &quadrant);
  return sine_in_quadrant(rest, quadrant);
}

BUILTIN Double __nvptx_cos(Double x) {
private
  Long quadrant;
  Double rest = reduced(x, &quadrant);
  return sine_in_quadrant(rest, quadrant + 1);
}

// The divisor is a sine beyond pi / 4 or a cosine: never too small for the instruction.
BUILTIN Double __nvptx_tan(Double x) {
private
  Long quadrant;
  Double rest = reduced(x, &quadrant), square = rest * rest;
  Double sine = small_sine(rest, square), cosine = small_cosine(square);
  Long is_odd = (quadrant & 1) != 0;
  Double dividend = is_odd ? -cosine : sine, divisor = is_odd ? sine : cosine;
  Double inverse = refined_reciprocal(divisor), quotient = dividend * inverse;
  Double result = fma(fma(-divisor, quotient, dividend), inverse, quotient);
  // Not for zeros, whose sign the correction would lose.
  return quotient == 0.0 ? quotient : result;
}

#undef fma
#endif
