// pow, powr, pown and rootn of float where there is a fused multiply-add: 2^(y * log2(|x|)) with the
// logarithm and the product in two floats each, of which the second makes up for the rounding of
// the first. Included once for each width, after FORM, which makes the names of functions, and
//   Float reciprocal(Float x): of numbers between 1 and 4, and of integers; one unit may be wrong
//   Float exp2_in_parts(Float x, Float tail): 2^(x + tail); beyond +-150 the tail may be anything
#define fma __builtin_elementwise_fma
#define ROOT_OF_HALF 0x3f3504f3

// log2 of a positive finite number. It is 2^exponent * (1 + f); with q = 2 f / (2 + f),
// log(1 + f) = q + q^3 * even(q). The error of the polynomial is below 2^-29.
static inline BUILTIN Float log2_in_parts(Float x, private Float* second) {
  Int is_subnormal = x < 0x1p-126f;
  Float normal = is_subnormal ? x * 0x1p25f : x;
  Int steps = bits_of(normal) - ROOT_OF_HALF;
  Float exponent = to_float(steps >> 23) - (is_subnormal ? (Float)25.0f : (Float)0.0f);
  Float f = number_of((steps & 0x7fffff) + ROOT_OF_HALF) - 1.0f;
  Float inverse = reciprocal(f + 2.0f);
  Float q = 2.0f * f * inverse;
  // What is missing from q * (2 + f) = 2 f, over 2 + f.
  Float rest = fma(-q, f, 2.0f * (f - q)) * inverse;
  Float square = q * q;
  Float curve = fma((Float)3.373072141e-3f, square, (Float)1.802288305e-2f);
  curve = fma(curve, square, (Float)0.1202247886f) * square;
  Float first = q * 0x1.715476p+0f;
  Float small = fma(q, (Float)0x1.715476p+0f, -first);
  small = fma(q, (Float)0x1.4ae0cp-26f, small);
  small = fma(rest, (Float)0x1.715476p+0f, small);
  small = fma(curve, q, small);
  Float sum = exponent + first;
  *second = ((exponent - sum) + first) + small;
  return sum;
}

// 2^(y * log2(x)) for a positive finite x.
static inline BUILTIN Float finite_power(Float x, Float y, Float rest_of_y) {
private
  Float second;
  Float first = log2_in_parts(x, &second);
  Float product = first * y;
  return exp2_in_parts(product, fma(first, rest_of_y, fma(second, y, fma(first, y, -product))));
}

static inline BUILTIN Int is_ordinary(Float x) {
  return x > 0.0f && x < INFINITY;
}

// |x|^y for numbers of which that is no ordinary power: zero, infinity and NaN.
static inline BUILTIN Float special_power(Float x, Float y) {
  Int is_infinite = __builtin_elementwise_abs(x) == INFINITY;
  Float power = is_infinite == (y > 0.0f) ? (Float)INFINITY : (Float)0.0f;
  power = (x != x || y != y) ? x + y : power;
  return y == 0.0f ? (Float)1.0f : power;
}

// |x|^y for any x and y, y given in two parts; for y = 0 it is 1.
static inline BUILTIN Float power_of_magnitude(Float x, Float y, Float rest_of_y) {
  Float magnitude = __builtin_elementwise_abs(x);
  Float power = finite_power(is_ordinary(magnitude) ? magnitude : (Float)1.0f, y, rest_of_y);
  return is_ordinary(magnitude) ? power : special_power(x, y);
}

// Beyond 2^40 every exponent is even, and gives infinity, 0 or, of 1, 1.
static inline BUILTIN Float bounded_exponent(Float y) {
  Float bounded = y > 0x1p40f ? (Float)0x1p40f : y;
  return bounded < -0x1p40f ? (Float)-0x1p40f : bounded;
}

// The sign of x where the exponent is odd, as bits.
static inline BUILTIN Float signed_power(Float power, Float x, Int is_odd) {
  return number_of(bits_of(power) ^ (is_odd ? bits_of(x) & INT_MIN : (Int)0));
}

// What is to be done for numbers that are not positive.
static inline BUILTIN Float rare_power(Float x, Float y, Float power) {
  Float half_y = y * 0.5f;
  Int is_whole = __builtin_elementwise_trunc(y) == y;
  Int is_odd = is_whole && __builtin_elementwise_trunc(half_y) != half_y;
  power = is_ordinary(__builtin_elementwise_abs(x)) ? power : special_power(x, y);
  power = signed_power(power, x, is_odd);
  return (x < 0.0f && x > -INFINITY && !is_whole) ? (Float)NAN : power;
}

BUILTIN Float FORM(pow)(Float x, Float y) {
  Float magnitude = __builtin_elementwise_abs(x);
  Float power = finite_power(is_ordinary(magnitude) ? magnitude : (Float)1.0f, bounded_exponent(y),
                             (Float)0.0f);
  if (__builtin_expect(any_lane(!is_ordinary(x)), 0))
    power = is_ordinary(x) ? power : rare_power(x, y, power);
  return x == 1.0f ? (Float)1.0f : power;
}

BUILTIN Float FORM(powr)(Float x, Float y) {
  Float power = power_of_magnitude(x, bounded_exponent(y), (Float)0.0f);
  Int is_undefined = (y == 0.0f && (x == 0.0f || x == INFINITY)) ||
                     (x == 1.0f && __builtin_elementwise_abs(y) == INFINITY);
  power = (x < 0.0f || is_undefined) ? (Float)NAN : power;
  return (x != x || y != y) ? x + y : power;
}

// The largest numbers are cut to the largest float below 2^31, which the rest makes up for.
BUILTIN Float FORM(pown)(Float x, Int n) {
  Float y = __builtin_elementwise_min(to_float(n), (Float)0x1.fffffep30f);
  return signed_power(power_of_magnitude(x, y, to_float(n - to_int(y))), x, (n & 1) != 0);
}

BUILTIN Float FORM(rootn)(Float x, Int n) {
  Float divisor = to_float(n);
  Float first = reciprocal(divisor);
  Float rest = fma(-first, divisor, (Float)1.0f) * first;
  Int is_odd = (n & 1) != 0;
  Float root = signed_power(power_of_magnitude(x, first, rest), x, is_odd);
  return (n == 0 || x != x || (x < 0.0f && !is_odd)) ? (Float)NAN : root;
}

#undef fma
#undef ROOT_OF_HALF
