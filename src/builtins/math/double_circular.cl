// sin, cos and tan of double: x = (quadrant + rest) * pi / 2 for arguments that are not large.
// Large ones are left to libclc.
#ifndef WIDTH
#include "each_width.h"
#else

#define LARGE 0x1p20

BUILTIN_OUT_OF_LINE Double libclc_sin(Double x);
BUILTIN_OUT_OF_LINE Double libclc_cos(Double x);
BUILTIN_OUT_OF_LINE Double libclc_tan(Double x);

// The rest, times pi / 2, and the quadrant in the two lowest bits. pi / 2 is given in parts of 33
// bits, whose product with the quadrant is exact, and one of 53.
static inline BUILTIN Double rest_of_quadrant(Double x, private Long* quadrant) {
  Double rounded = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, whole = rounded - 0x1.8p52;
  *quadrant = bits_of(rounded);
  Double rest = (x - whole * 0x1.921fb544p+0) - whole * 0x1.0b4611a6p-34;
  return (rest - whole * 0x1.3198a2ep-69) - whole * 0x1.b839a252049c1p-104;
}

// For |x| up to pi / 4; the errors of the polynomials are below 2^-57.
static inline BUILTIN Double sine_of_rest(Double x) {
  Double square = x * x;
  Double curve = 1.58967958805785216e-10 * square - 2.50507581205412383e-8;
  curve = (curve * square + 2.75573136919702316e-6) * square - 1.98412698298080733e-4;
  curve = (curve * square + 8.33333333332241487e-3) * square - 0.166666666666666324;
  return x + x * (square * curve);
}
static inline BUILTIN Double cosine_of_rest(Double x) {
  Double square = x * x, half_square = 0.5 * square;
  Double curve = -1.13596472999087614e-11 * square + 2.08757232644070541e-9;
  curve = (curve * square - 2.75573143522770833e-7) * square + 2.48015872894820352e-5;
  curve = (curve * square - 1.38888888888741248e-3) * square + 4.16666666666666019e-2;
  // What 1 - x^2 / 2 loses is added again.
  Double first = 1.0 - half_square;
  return first + (((1.0 - first) - half_square) + curve * (square * square));
}

static inline BUILTIN Double sine_in_quadrant(Double rest, Long quadrant) {
  // Both are there in any case: a branch would be a guess, and sin and cos of one number share them.
  Double sine = sine_of_rest(rest), cosine = cosine_of_rest(rest);
  Double value = (quadrant & 1) != 0 ? cosine : sine;
  return number_of(bits_of(value) ^ ((quadrant & 2) << 62));
}

static inline BUILTIN Long is_large(Double x) {
  return !(__builtin_elementwise_abs(x) < LARGE);
}
static inline BUILTIN Double finite_or_zero(Double x) {
  return __builtin_elementwise_abs(x) < INFINITY ? x : (Double)0.0;
}
static inline BUILTIN Double unless_infinite(Double x, Double result) {
  return __builtin_elementwise_abs(x) < INFINITY ? result : x - x;
}

BUILTIN Double sin(Double x) {
private
  Long quadrant;
  Double rest = rest_of_quadrant(__builtin_elementwise_abs(x), &quadrant);
  Double result = number_of(bits_of(sine_in_quadrant(rest, quadrant)) ^ (bits_of(x) & LONG_MIN));
  if (UNLIKELY(any_lane(is_large(x))))
    result = is_large(x) ? unless_infinite(x, libclc_sin(finite_or_zero(x))) : result;
  return result;
}

BUILTIN Double cos(Double x) {
private
  Long quadrant;
  // As sin does it, so that both of one number have it in common.
  Double rest = rest_of_quadrant(__builtin_elementwise_abs(x), &quadrant);
  Double result = sine_in_quadrant(rest, quadrant + 1);
  if (UNLIKELY(any_lane(is_large(x))))
    result = is_large(x) ? unless_infinite(x, libclc_cos(finite_or_zero(x))) : result;
  return result;
}

BUILTIN Double tan(Double x) {
private
  Long quadrant;
  Double rest = rest_of_quadrant(__builtin_elementwise_abs(x), &quadrant);
  Double sine = sine_of_rest(rest), cosine = cosine_of_rest(rest);
  Long is_odd = (quadrant & 1) != 0;
  Double result = (is_odd ? -cosine : sine) / (is_odd ? sine : cosine);
  result = number_of(bits_of(result) ^ (bits_of(x) & LONG_MIN));
  if (UNLIKELY(any_lane(is_large(x))))
    result = is_large(x) ? unless_infinite(x, libclc_tan(finite_or_zero(x))) : result;
  return result;
}

#undef LARGE
#endif
