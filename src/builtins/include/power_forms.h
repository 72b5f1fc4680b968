// pow, powr, pown and rootn: b^(y * log(|x|)) with the logarithm, and what y is known by, in two
// parts each, of which the second makes up for the rounding of the first. Included once for each
// width, after Number, Integer, FORM, which makes the names of functions, and
//   Number reciprocal(Number x): of integers; one unit may be wrong
//   Number logarithm_in_parts(Number x, private Number* second): for a positive finite x; of others
//     something
//   Number power_in_parts(Number first, Number second): b^(first + second); where the first part is
//     so large that the result is infinity or 0, the second may be anything
//   Number in_parts(Int n, private Number* second): n
//   Integer is_odd(Int n)
//   IS_ORDINARY(x): whether logarithm_in_parts knows x, which is positive and finite then
//   LEAVE_SUBNORMAL(name, x, y, power): a statement that sets power to name(x, y) where x is
//     subnormal, or nothing where logarithm_in_parts knows such numbers

// x^y for a positive finite x, and for others something.
static inline BUILTIN Number finite_power(Number x, Number y) {
private
  Number second;
  Number first = logarithm_in_parts(x, &second);
  Number product = first * y;
  return power_in_parts(product, fma(second, y, fma(first, y, -product)));
}
static inline BUILTIN Number finite_power(Number x, Number y, Number rest_of_y) {
private
  Number second;
  Number first = logarithm_in_parts(x, &second);
  Number product = first * y;
  second = fma(second, y, fma(first, y, -product));
  return power_in_parts(product, fma(first, rest_of_y, second));
}

// |x|^y for numbers of which that is no ordinary power: zero, infinity and NaN.
static inline BUILTIN Number special_power(Number x, Number y) {
  Integer is_infinite = __builtin_elementwise_abs(x) == INFINITY;
  Number power = is_infinite == (y > 0) ? (Number)INFINITY : (Number)0;
  power = (x != x || y != y) ? x + y : power;
  return y == 0 ? (Number)1 : power;
}

// The sign of x where the exponent is odd, as bits.
static inline BUILTIN Number signed_power(Number power, Number x, Integer odd) {
  return number_of(bits_of(power) ^ (odd ? bits_of(x) & bits_of((Number)-0.0f) : (Integer)0));
}

// What is to be done for numbers that are not positive.
static inline BUILTIN Number rare_power(Number x, Number y, Number power) {
  Number half_y = y * (Number)0.5f;
  Integer is_whole = __builtin_elementwise_trunc(y) == y;
  Integer odd = is_whole && __builtin_elementwise_trunc(half_y) != half_y;
  power = is_positive_finite(__builtin_elementwise_abs(x)) ? power : special_power(x, y);
  power = (x == -1 && __builtin_elementwise_abs(y) == INFINITY) ? (Number)1 : power;
  power = signed_power(power, x, odd);
  return (x < 0 && x > -INFINITY && !is_whole) ? (Number)NAN : power;
}

// Of 1 the logarithm is 0, and its product with an infinite exponent NaN.
BUILTIN Number FORM(pow)(Number x, Number y) {
  Number power = finite_power(__builtin_elementwise_abs(x), y);
  if (UNLIKELY(any_lane(!IS_ORDINARY(x)))) {
    power = is_positive_finite(x) ? power : rare_power(x, y, power);
    LEAVE_SUBNORMAL(pow, x, y, power)
  }
  return x == 1 ? (Number)1 : power;
}

static inline BUILTIN Number rare_natural_power(Number x, Number y) {
  Number power = x < 0 || y == 0 ? (Number)NAN : special_power(x, y);
  return (x != x || y != y) ? x + y : power;
}

BUILTIN Number FORM(powr)(Number x, Number y) {
  Number power = finite_power(x, y);
  if (UNLIKELY(any_lane(!IS_ORDINARY(x)))) {
    power = is_positive_finite(x) ? power : rare_natural_power(x, y);
    LEAVE_SUBNORMAL(powr, x, y, power)
  }
  return power;
}

// |x|^y for any x, y given in two parts; for y = 0 it is 1.
static inline BUILTIN Number power_of_magnitude(Number x, Number y, Number rest_of_y) {
  Number magnitude = __builtin_elementwise_abs(x);
  Number power = finite_power(magnitude, y, rest_of_y);
  if (UNLIKELY(any_lane(!is_positive_finite(magnitude))))
    power = is_positive_finite(magnitude) ? power : special_power(x, y);
  return power;
}

BUILTIN Number FORM(pown)(Number x, Int n) {
private
  Number rest;
  Number y = in_parts(n, &rest);
  Number power = signed_power(power_of_magnitude(x, y, rest), x, is_odd(n));
  LEAVE_SUBNORMAL(pown, x, n, power)
  return power;
}

BUILTIN Number FORM(rootn)(Number x, Int n) {
private
  Number unused;
  Number divisor = in_parts(n, &unused), first = reciprocal(divisor);
  Number rest = fma(-first, divisor, (Number)1) * first;
  Number root = signed_power(power_of_magnitude(x, first, rest), x, is_odd(n));
  LEAVE_SUBNORMAL(rootn, x, n, root)
  return (divisor == 0 || x != x || (x < 0 && !is_odd(n))) ? (Number)NAN : root;
}
