// asin, acos, asinpi and acospi of float and double: a polynomial for magnitudes up to 1/2; of
// others the angle is a quarter of a turn less twice that of sqrt((1 - |x|) / 2).
#ifndef WIDTH
#include "each_width.h"
#else

// asin(x) / x - 1 for the square of x up to 1/4; the errors are below 2^-27 and 2^-55 of asin(x).
static inline BUILTIN Float excess_of_asin(Float square) {
  Float curve = (4.216628749e-2f * square + 2.417953147e-2f) * square + 4.547037128e-2f;
  return ((curve * square + 7.495297696e-2f) * square + 0.1666675248f) * square;
}
static inline BUILTIN Double excess_of_asin(Double square) {
  Double curve = 3.19122953688478e-2 * square - 1.6224290224550613e-2;
  curve = (curve * square + 1.9528289064088055e-2) * square + 6.5279666879543606e-3;
  curve = (curve * square + 1.2169213506149081e-2) * square + 1.3885235230722808e-2;
  curve = (curve * square + 1.7359704776178021e-2) * square + 2.2371758050954899e-2;
  curve = (curve * square + 3.0381959136849122e-2) * square + 4.4642856828334777e-2;
  return ((curve * square + 7.500000000337001e-2) * square + 0.16666666666665408) * square;
}

// In units of which a quarter of a turn has QUARTER, and REST_OF_QUARTER beyond what the type
// holds.
#define ARC_SINE(Number, Integer, asin, acos, UNIT, QUARTER, REST_OF_QUARTER)                      \
  static inline BUILTIN Number small_##asin(Number magnitude, Integer is_large) {                  \
    Number square = is_large ? (Number)0.5 - (Number)0.5 * magnitude : magnitude * magnitude;      \
    Number sine = (is_large ? __builtin_elementwise_sqrt(square) : magnitude) * (Number)(UNIT);    \
    return sine + sine * excess_of_asin(square);                                                   \
  }                                                                                                \
  BUILTIN Number asin(Number x) {                                                                  \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Integer is_large = magnitude > (Number)0.5;                                                    \
    Number angle = small_##asin(magnitude, is_large);                                              \
    Number rest = (Number)(QUARTER) - ((angle + angle) - (Number)(REST_OF_QUARTER));               \
    return __builtin_elementwise_copysign(is_large ? rest : angle, x);                             \
  }                                                                                                \
  BUILTIN Number acos(Number x) {                                                                  \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Integer is_large = magnitude > (Number)0.5;                                                    \
    Number angle = small_##asin(magnitude, is_large);                                              \
    Number distance = is_large ? angle : __builtin_elementwise_copysign(angle, x);                 \
    Number rest = (Number)(QUARTER) - (distance - (Number)(REST_OF_QUARTER));                      \
    Number half_angle = x > 0 ? angle : rest;                                                      \
    return is_large ? half_angle + half_angle : rest;                                              \
  }
ARC_SINE(Float, Int, asin, acos, 1, 0x1.921fb6p+0f, -0x1.777a5cp-25f)
ARC_SINE(Double, Long, asin, acos, 1, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54)
ARC_SINE(Float, Int, asinpi, acospi, 0x1.45f306p-2f, 0.5, 0)
ARC_SINE(Double, Long, asinpi, acospi, 0x1.45f306dc9c883p-2, 0.5, 0)
#undef ARC_SINE
#endif
