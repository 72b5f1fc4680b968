// exp, exp2, exp10 and tanh of float for NVIDIA's GPUs, whose instruction computes 2^x.
#ifndef WIDTH
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define fma __builtin_elementwise_fma

// The result is 2^rest * 2^whole. `whole` goes up to +-126, so that 2^whole is a normal number and
// the product of both rounds a subnormal result once; beyond, the rest grows. A sum with this
// number has 127 + whole in its low bits.
#define STEPS 0x1.8p23f
#define LARGEST_WHOLE 126

// Of x / 252 + 1/2, which saturates at both ends of the range.
static inline BUILTIN Float steps_of(Float share) {
  return fma(saturated(share), (Float)(2 * LARGEST_WHOLE), (Float)(STEPS + 1));
}
static inline BUILTIN Float whole_of(Float steps) {
  return steps - (STEPS + LARGEST_WHOLE + 1);
}
static inline BUILTIN Float power_of(Float rest, Float steps) {
  return raw_exp2(rest) * number_of(bits_of(steps) << 23);
}

BUILTIN Float __nvptx_exp(Float x) {
  Float steps = steps_of(fma(x, (Float)0x1.77313cp-8f, (Float)0.5f));
  Float rest = fma(x, (Float)0x1.715476p+0f, -whole_of(steps));
  return power_of(fma(x, (Float)0x1.4ae0cp-26f, rest), steps);
}

BUILTIN Float __nvptx_exp2(Float x) {
  Float steps = steps_of(fma(x, (Float)0x1.041042p-8f, (Float)0.5f));
  return power_of(x - whole_of(steps), steps);
}

BUILTIN Float __nvptx_exp10(Float x) {
  Float steps = steps_of(fma(x, (Float)0x1.aff4c4p-7f, (Float)0.5f));
  Float rest = fma(x, (Float)0x1.a934fp+1f, -whole_of(steps));
  return power_of(fma(x, (Float)0x1.2f346ep-24f, rest), steps);
}

// (e^2x - 1) / (e^2x + 1), which is 1 - 2 / (e^2x + 1); for small numbers a polynomial, whose error
// is below 2^-28.
BUILTIN Float __nvptx_tanh(Float x) {
  Float magnitude = __builtin_elementwise_abs(x), square = x * x;
  Float curve = fma((Float)-6.162626868e-3f, square, (Float)2.10037895e-2f);
  curve = fma(fma(curve, square, (Float)-5.383980719e-2f), square, (Float)0.1333252527f);
  curve = fma(curve, square, (Float)-0.3333331854f);
  // Adding zero keeps the sign of a zero.
  Float small = fma(x, fma(curve, square, (Float)0.0f), x);
  Float power = raw_exp2(magnitude * 0x1.715476p+1f);
  Float large = fma(raw_reciprocal(power + 1.0f), (Float)-2.0f, (Float)1.0f);
  return magnitude < 0.55f ? small : __builtin_elementwise_copysign(large, x);
}

#undef fma
#undef STEPS
#undef LARGEST_WHOLE
#endif
