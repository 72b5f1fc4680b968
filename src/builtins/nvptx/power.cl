// pow, powr, pown and rootn of float for NVIDIA's GPUs.
#ifndef WIDTH
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define FORM(name) __nvptx_##name
#define STEPS 0x1.8p23f

static inline BUILTIN Float reciprocal(Float x) {
  return raw_reciprocal(x);
}

#include "log2_in_parts.h"

static inline BUILTIN Float logarithm_in_parts(Float x, private Float* second) {
  Int is_subnormal = x < 0x1p-126f;
  return log2_in_parts(is_subnormal ? x * 0x1p25f : x, is_subnormal ? (Float)25.0f : (Float)0.0f,
                       second);
}

static inline BUILTIN Float power_in_parts(Float x, Float tail) {
  // Beyond this the result is 0 or infinity, and what is left of x says which.
  Float cut =
      __builtin_elementwise_min(__builtin_elementwise_max(x, (Float)-512.0f), (Float)512.0f);
  Float left = cut == x ? tail : x - cut;
  // As in exponential.cl.
  Float steps = __builtin_elementwise_fma(
      saturated(__builtin_elementwise_fma(cut, (Float)0x1.041042p-8f, (Float)0.5f)), (Float)252.0f,
      (Float)(STEPS + 1));
  Float rest = (cut - (steps - (STEPS + 127))) + left;
  return raw_exp2(rest) * number_of(bits_of(steps) << 23);
}

#define Number Float
#define Integer Int
#define IS_ORDINARY is_positive_finite
#define LEAVE_SUBNORMAL(name, x, y, power)
#include "power_forms.h"
#undef IS_ORDINARY
#undef LEAVE_SUBNORMAL
#undef Number
#undef Integer

#undef fma
#undef FORM
#undef STEPS
#endif
