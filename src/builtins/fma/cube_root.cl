// cbrt of float and double for processors with fused multiply-adds, without a division. A third of
// the bits of x, as an integer, gives a first guess of 1 / cbrt(x) that is right to 1/29; with
// h = 1 - x * guess^3 the root is x * guess^2 * (1 - h)^(-2/3). What h lacks by the rounding of
// x * guess makes up for two thirds of what that product lacks itself.
#ifndef WIDTH
#include "each_width.h"
#else

#define fma __builtin_elementwise_fma

// In double the guess is improved to 2^-23 first. The bits below the upper half are of no account.
static inline BUILTIN Double guess_of_inverse(Double x) {
  Double guess = number_of(0x553ee96100000000l - ((bits_of(x) >> 32) & 0xffffffff) * 0x55555556);
  Double h = fma(-(x * guess), guess * guess, (Double)1.0);
  Double curve = fma((Double)0.14596435726859286, h, (Double)0.1744646068528336);
  curve = fma(fma(curve, h, (Double)0.22221424684040997), h, (Double)0.33332917864479932);
  return fma(guess * h, curve, guess);
}
static inline BUILTIN Float guess_of_inverse(Float x) {
  return number_of(0x54a1f5c0 - to_int(to_float(bits_of(x)) * 0x1.555556p-2f));
}

// ((1 - h)^(-2/3) - 1) / h, with an error of h times it below 2^-60 and 2^-25.
static inline BUILTIN Double root_curve(Double h) {
  return fma((Double)0.55555555555555556, h, (Double)0.66666666666666667);
}
static inline BUILTIN Float root_curve(Float h) {
  Float curve = fma((Float)0.43023254f, h, (Float)0.4585235822f);
  curve = fma(fma(curve, h, (Float)0.493782169f), h, (Float)0.5555366391f);
  return fma(curve, h, (Float)0.6666667296f);
}

// Subnormal numbers are taken times 2^54, whose root is 2^18.
#define CUBE_ROOT(Number, Integer, LEAST_NORMAL)                                                   \
  BUILTIN Number __fma_cbrt(Number x) {                                                            \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Integer is_subnormal = magnitude < (Number)LEAST_NORMAL;                                       \
    Number normal = is_subnormal ? magnitude * (Number)0x1p54 : magnitude;                         \
    Number guess = guess_of_inverse(normal), product = normal * guess;                             \
    Number h = fma(-product, guess * guess, (Number)1);                                            \
    Number root = fma(product, guess, product * guess * h * root_curve(h));                        \
    root = is_subnormal ? root * (Number)0x1p-18 : root;                                           \
    return __builtin_elementwise_copysign(magnitude < (Number)INFINITY ? root : magnitude, x);     \
  }
CUBE_ROOT(Float, Int, 0x1p-126f)
CUBE_ROOT(Double, Long, 0x1p-1022)

#undef CUBE_ROOT
#undef fma
#endif
