// sin, cos and tan of float where there is a fused multiply-add: reduced as in math/circular.cl,
// but in float, where that makes the first difference exact. The few larger numbers take another
// way. Included once for each width, after FORM, which makes the names, and
//   Float reciprocal(Float x): one unit may be wrong
//   Float large_sin(Float x), large_cos, large_tan: right for large numbers, infinity and NaN
#define fma __builtin_elementwise_fma
#define LARGE 0x1p16f
#define ROUNDER 0x1.8p23f

static inline BUILTIN Int is_large(Float x) {
  return !(__builtin_elementwise_abs(x) < LARGE);
}

// The rest, times pi / 2, and the quadrant in the two lowest bits. The parts of pi / 2 have one
// sign, so that a zero keeps its own.
static inline BUILTIN Float reduced(Float x, private Int* quadrant) {
  Float rounded = fma(x, (Float)0x1.45f306p-1f, (Float)ROUNDER), whole = rounded - ROUNDER;
  *quadrant = bits_of(rounded);
  Float rest = fma(whole, (Float)-0x1.921fb4p+0f, x);
  rest = fma(whole, (Float)-0x1.4442dp-24f, rest);
  return fma(whole, (Float)-0x1.846988p-48f, rest);
}

BUILTIN Float FORM(tan)(Float x) {
private
  Int quadrant;
  Float rest = reduced(x, &quadrant), square = rest * rest;
  Float curve = fma((Float)4.439087998e-3f, square, (Float)-2.788591209e-6f);
  curve = fma(fma(curve, square, (Float)1.087220223e-2f), square, (Float)2.128700228e-2f);
  curve = fma(fma(curve, square, (Float)5.405398429e-2f), square, (Float)0.1333277776f);
  curve = fma(fma(curve, square, (Float)0.333333438f), square, (Float)0.0f);
  Float tangent = fma(curve, rest, rest);
  Float result = (quadrant & 1) != 0 ? -reciprocal(tangent) : tangent;
  if (UNLIKELY(any_lane(is_large(x))))
    result = is_large(x) ? large_tan(x) : result;
  return result;
}

// For |x| up to pi / 4; the errors of the polynomials are below 2^-26. Adding zero keeps the sign
// of a zero.
static inline BUILTIN Float small_sine(Float x, Float square) {
  Float curve = fma((Float)-1.95133136e-4f, square, (Float)8.332146332e-3f);
  curve = fma(curve, square, (Float)-0.1666665375f);
  return fma(fma(curve, square, (Float)0.0f), x, x);
}
static inline BUILTIN Float small_cosine(Float square) {
  Float curve = fma((Float)2.443089761e-5f, square, (Float)-1.388729666e-3f);
  curve = fma(fma(curve, square, (Float)4.166664556e-2f), square, (Float)-0.5f);
  return fma(curve, square, (Float)1.0f);
}

static inline BUILTIN Float sine_in_quadrant(Float rest, Int quadrant) {
  Float square = rest * rest;
  Float cosine = small_cosine(square), sine = small_sine(rest, square);
  Float value = (quadrant & 1) != 0 ? cosine : sine;
  return number_of(bits_of(value) ^ ((quadrant & 2) << 30));
}

BUILTIN Float FORM(sin)(Float x) {
private
  Int quadrant;
  Float rest = reduced(x, &quadrant);
  Float result = sine_in_quadrant(rest, quadrant);
  if (UNLIKELY(any_lane(is_large(x))))
    result = is_large(x) ? large_sin(x) : result;
  return result;
}

BUILTIN Float FORM(cos)(Float x) {
private
  Int quadrant;
  Float rest = reduced(x, &quadrant);
  Float result = sine_in_quadrant(rest, quadrant + 1);
  if (UNLIKELY(any_lane(is_large(x))))
    result = is_large(x) ? large_cos(x) : result;
  return result;
}

#undef fma
#undef LARGE
#undef ROUNDER
