// sin, cos and tan of float for NVIDIA's GPUs.
#ifndef WIDTH
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define FORM(name) __nvptx_##name

BUILTIN Float sin(Float x);
BUILTIN Float cos(Float x);
BUILTIN Float tan(Float x);

static inline BUILTIN Float reciprocal(Float x) {
  return raw_reciprocal(x);
}
static inline BUILTIN Float large_tan(Float x) {
  return tan(x);
}

#include "tangent_in_float.h"

// For |x| up to pi / 4; the errors of the polynomials are below 2^-26. Adding zero keeps the sign
// of a zero.
static inline BUILTIN Float small_sine(Float x, Float square) {
  Float curve = __builtin_elementwise_fma((Float)-1.95133136e-4f, square, (Float)8.332146332e-3f);
  curve = __builtin_elementwise_fma(curve, square, (Float)-0.1666665375f);
  return __builtin_elementwise_fma(__builtin_elementwise_fma(curve, square, (Float)0.0f), x, x);
}
static inline BUILTIN Float small_cosine(Float square) {
  Float curve = __builtin_elementwise_fma((Float)2.443089761e-5f, square, (Float)-1.388729666e-3f);
  curve = __builtin_elementwise_fma(__builtin_elementwise_fma(curve, square, (Float)4.166664556e-2f), square, (Float)-0.5f);
  return __builtin_elementwise_fma(curve, square, (Float)1.0f);
}

static inline BUILTIN Float sine_in_quadrant(Float rest, Int quadrant) {
  Float square = rest * rest;
  Float value = (quadrant & 1) != 0 ? small_cosine(square) : small_sine(rest, square);
  return number_of(bits_of(value) ^ ((quadrant & 2) << 30));
}

BUILTIN Float __nvptx_sin(Float x) {
private
  Int quadrant;
  Float rest = reduced(x, &quadrant);
  Float result = sine_in_quadrant(rest, quadrant);
  if (any_lane(is_large(x)))
    result = is_large(x) ? sin(x) : result;
  return result;
}

BUILTIN Float __nvptx_cos(Float x) {
private
  Int quadrant;
  Float rest = reduced(x, &quadrant);
  Float result = sine_in_quadrant(rest, quadrant + 1);
  if (any_lane(is_large(x)))
    result = is_large(x) ? cos(x) : result;
  return result;
}

#undef FORM
#endif
