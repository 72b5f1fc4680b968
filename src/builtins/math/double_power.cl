// pow, powr, pown and rootn of double: exp2(y * log2(|x|)) with the logarithm, the exponent and
// their product in two parts each. The first parts have 26 bits, so that their products are exact
// (after Dekker, "A floating-point technique for extending the available precision", 1971).
#ifndef WIDTH
#include "each_width.h"
#else

#include "double_parts.h"

static inline BUILTIN Double first_part(Double x) {
  return number_of(bits_of(x) & ~0x7ffffffl);
}

// log2 of a positive finite number. With s = f / (2 + f) as in double_exponential.cl, it is
// 2 / log(2) * (s + s^3 / 3 + s^5 * even(s)) + exponent, where s and s^3 are known in two parts.
static inline BUILTIN Double log2_in_parts(Double x, private Double* second) {
private
  Double exponent;
  Double f = split_number(x, &exponent);
  Double inverse = 1.0 / (2.0 + f);
  Double divisor = first_part(2.0 + f), rest_of_divisor = f - (divisor - 2.0);
  Double s = first_part(f * inverse);
  Double rest = ((f - s * divisor) - s * rest_of_divisor) * inverse;
  Double square = s * s, rest_of_square = rest * (2.0 * s + rest);
  Double first_of_square = first_part(square);
  Double cube = s * first_of_square;
  Double rest_of_cube =
      s * ((square - first_of_square) + rest_of_square) + rest * (square + rest_of_square);
  Double z = square + rest_of_square;
  Double curve = 0.0659824774517211582 * z + 0.0662840018657573776;
  curve = (curve * z + 0.0769337902553818009) * z + 0.0909089217603675365;
  curve = (curve * z + 0.111111112600441445) * z + 0.142857142850493418;
  curve = (curve * z + 0.20000000000001128) * (z * z) * (s + rest);
  Double third = cube * 0.33333333333333331483, small = cube * 1.8503717077085941e-17 + curve;
  Double whole = s + third;
  small = small + rest_of_cube * 0.33333333333333331483 + rest + ((s - whole) + third);
  Double high = first_part(whole), low = (whole - high) + small;
  // 2 / log(2) in a part of 26 bits and the rest.
  Double first = high * 0x1.715476p+1;
  Double sum = exponent + first;
  *second =
      ((exponent - sum) + first) + (low * 0x1.71547652b82fep+1 + high * 0x1.4ae0bf85ddf44p-25);
  return sum;
}

// 2^(y * log2(x)) for a positive finite x.
static inline BUILTIN Double finite_power(Double x, Double y, Double rest_of_y) {
private
  Double second;
  Double logarithm = log2_in_parts(x, &second);
  Double first = first_part(logarithm);
  second = second + (logarithm - first);
  Double product = first * y, tail = first * rest_of_y + (y + rest_of_y) * second;
  tail = (product > 1100.0 || product < -1100.0) ? (Double)0.0 : tail;
  product = product > 1100.0 ? (Double)1100.0 : product;
  product = product < -1100.0 ? (Double)-1100.0 : product;
  Double whole = ((product + tail) + ROUNDER) - ROUNDER;
  Double rest = (product - whole) + tail;
  return scaled_power(rest * 0x1.62e42fefa39efp-1, whole);
}

// |x|^y for any x but NaN, y given in two parts; for y = 0 it is 1.
static inline BUILTIN Double power_of_magnitude(Double x, Double y, Double rest_of_y) {
  Double magnitude = __builtin_elementwise_abs(x), whole_y = y + rest_of_y;
  Long is_special = magnitude == 0.0 || magnitude == INFINITY;
  Double power = finite_power(is_special ? (Double)1.0 : magnitude, y, rest_of_y);
  Long is_infinite = magnitude == INFINITY ? whole_y > 0.0 : whole_y < 0.0;
  Double special = whole_y == 0.0 ? (Double)1.0 : is_infinite ? (Double)INFINITY : (Double)0.0;
  return is_special ? special : power;
}

// Beyond 2^64 every exponent is even, and gives infinity, 0 or, of 1, 1.
static inline BUILTIN Double bounded_exponent(Double y) {
  Double bounded = y > 0x1p64 ? (Double)0x1p64 : y;
  return bounded < -0x1p64 ? (Double)-0x1p64 : bounded;
}

static inline BUILTIN Double power_of_number(Double x, Double y) {
  Double bounded = bounded_exponent(y), first = first_part(bounded);
  return power_of_magnitude(x, first, bounded - first);
}

// The sign of x where the exponent is odd, as bits.
static inline BUILTIN Double signed_power(Double power, Double x, Long is_odd) {
  return number_of(bits_of(power) ^ (is_odd ? bits_of(x) & LONG_MIN : (Long)0));
}

BUILTIN Double pow(Double x, Double y) {
  Double half_y = y * 0.5;
  Long is_whole = __builtin_elementwise_trunc(y) == y;
  Long is_odd = is_whole && __builtin_elementwise_trunc(half_y) != half_y;
  Double power = signed_power(power_of_number(x, y), x, is_odd);
  power = (x < 0.0 && x > -INFINITY && !is_whole) ? (Double)NAN : power;
  power = (x != x || y != y) ? x + y : power;
  return (x == 1.0 || y == 0.0) ? (Double)1.0 : power;
}

BUILTIN Double powr(Double x, Double y) {
  Double power = power_of_number(x, y);
  Long is_undefined = (y == 0.0 && (x == 0.0 || x == INFINITY)) ||
                      (x == 1.0 && __builtin_elementwise_abs(y) == INFINITY);
  power = (x < 0.0 || is_undefined) ? (Double)NAN : power;
  return (x != x || y != y) ? x + y : power;
}

BUILTIN Double pown(Double x, Int n) {
  Double y = to_double(n), first = first_part(y);
  Double power = signed_power(power_of_magnitude(x, first, y - first), x, to_long(n & 1) != 0);
  power = x != x ? x : power;
  return y == 0.0 ? (Double)1.0 : power;
}

// The parts of 1 / n are such that the first one's product with n is exact.
BUILTIN Double rootn(Double x, Int n) {
  Double divisor = to_double(n), inverse = 1.0 / divisor;
  Double first = number_of(bits_of(inverse) & ~0xffffffffl);
  Long is_odd = to_long(n & 1) != 0;
  Double root =
      signed_power(power_of_magnitude(x, first, (1.0 - first * divisor) * inverse), x, is_odd);
  return (divisor == 0.0 || x != x || (x < 0.0 && !is_odd)) ? (Double)NAN : root;
}

#undef ROUNDER
#undef ROOT_OF_HALF_double
#endif
