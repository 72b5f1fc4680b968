// cbrt of float and double, without a division. A third of the bits of x, as an integer, gives a
// first guess of 1 / cbrt(x) that is right to 1/29; with h = 1 - x * guess^3 the root itself is
// guess * (1 - h)^(-1/3), a polynomial in h. x times its square is cbrt(x), which is cut to so few
// bits that its cube is exact, and what x has beyond that cube corrects it.
#ifndef WIDTH
#include "each_width.h"
#else

// Half a unit of the place that is kept, and the bits that are not.
#define CUT_float 0x8000
#define CUT_double 0x800000000l

static inline BUILTIN Float guess_of_inverse(Float x) {
  return number_of(0x54a1f5c0 - to_int(to_float(bits_of(x)) * 0x1.555556p-2f));
}

// The upper half of the bits alone; it becomes a number, and an integer again, behind the bits of
// 2^52 and of 1.5 * 2^52.
static inline BUILTIN Double guess_of_inverse(Double x) {
  Double upper = number_of((bits_of(x) >> 32) | 0x4330000000000000l) - 0x1p52;
  return number_of(bits_of(upper * -0x1.5555555555555p-2 + (0x1.8p52 + 0x553ee961)) << 32);
}

// Of a positive normal number. The errors of the polynomials are below 2^-27; for double another
// step leaves 2^-50.
static inline BUILTIN Float inverse_root(Float x) {
  Float guess = guess_of_inverse(x), h = 1.0f - (x * guess) * (guess * guess);
  Float curve = (0.1268698722f * h + 0.1456576288f) * h + 0.1728276312f;
  curve = (curve * h + 0.2222169638f) * h + 0.3333333433f;
  return guess + guess * (h * curve);
}
static inline BUILTIN Double inverse_root(Double x) {
  Double guess = guess_of_inverse(x), h = 1.0 - (x * guess) * (guess * guess);
  Double curve = (0.17469638726274267 * h + 0.22347370384093385) * h + 0.33332764789241454;
  guess = guess + guess * (h * curve);
  h = 1.0 - (x * guess) * (guess * guess);
  return guess + guess * (h * (0.22222222222222222 * h + 0.33333333333333333));
}

// Subnormal numbers are taken times 2^54, whose root is 2^18.
#define CUBE_ROOT(Number, Integer, T, LEAST_NORMAL)                                                \
  BUILTIN Number cbrt(Number x) {                                                                  \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Integer is_subnormal = magnitude < LEAST_NORMAL;                                               \
    Number normal = is_subnormal ? magnitude * (Number)0x1p54 : magnitude;                         \
    Number inverse = inverse_root(normal), square = inverse * inverse;                             \
    Number root = number_of((bits_of(normal * square) + CUT_##T) & -(2 * CUT_##T));                \
    Number excess = (normal - root * root * root) * square * inverse;                              \
    Number curve = (excess * (Number)0.17283950617283951 + (Number)0.22222222222222222) * excess;  \
    root = root + root * ((curve + (Number)0.33333333333333333) * excess);                         \
    root = is_subnormal ? root * (Number)0x1p-18 : root;                                           \
    return magnitude < INFINITY ? __builtin_elementwise_copysign(root, x) : x + x;                 \
  }
CUBE_ROOT(Float, Int, float, 0x1p-126f)
CUBE_ROOT(Double, Long, double, 0x1p-1022)
#undef CUBE_ROOT
#undef CUT_float
#undef CUT_double
#endif
