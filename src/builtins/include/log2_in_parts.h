// For pow, powr, pown and rootn of float where there is a fused multiply-add (power_forms.h): the
// logarithm to base 2, and integers. Included once for each width, after
//   Float reciprocal(Float x): of numbers between 1 and 4; one unit may be wrong
#define fma __builtin_elementwise_fma
#define ROOT_OF_HALF_float 0x3f3504f3

// log2 of a positive normal number over 2^scale; the second part may be as large as a hundredth of
// it. The number is 2^exponent * (1 + f); with q = 2 f / (2 + f), log(1 + f) = q + q^3 * even(q).
// The error of the polynomial is below 2^-29.
static inline BUILTIN Float log2_in_parts(Float x, Float scale, private Float* second) {
  Int steps = bits_of(x) - ROOT_OF_HALF_float;
  Float exponent = to_float(steps >> 23) - scale;
  Float fraction = number_of((steps & 0x7fffff) + ROOT_OF_HALF_float), f = fraction - 1.0f;
  Float inverse = reciprocal(fraction + 1.0f);
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

// The largest numbers are cut to the largest float below 2^31, which the rest makes up for.
static inline BUILTIN Float in_parts(Int n, private Float* second) {
  Float first = __builtin_elementwise_min(to_float(n), (Float)0x1.fffffep30f);
  *second = to_float(n - to_int(first));
  return first;
}

static inline BUILTIN Int is_odd(Int n) {
  return (n & 1) != 0;
}

#undef ROOT_OF_HALF_float
