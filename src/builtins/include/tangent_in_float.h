// The reduction of sin, cos and tan of float where there is a fused multiply-add: as in
// math/circular.cl, but in float, where that makes the first difference exact; and tan with it. The
// few larger numbers take another way. Included once for each width, after FORM, which makes the
// name of tan, and
//   Float reciprocal(Float x): one unit may be wrong
//   Float large_tan(Float x): right for large numbers, infinity and NaN
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
  if (any_lane(is_large(x)))
    result = is_large(x) ? large_tan(x) : result;
  return result;
}

#undef fma
#undef LARGE
#undef ROUNDER
