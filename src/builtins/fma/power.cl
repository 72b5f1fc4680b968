// pow, powr, pown and rootn of float for processors with fused multiply-adds. Of subnormal numbers
// they are left to the other form, so that all others need not wait for them.
#ifndef WIDTH
#include "lanes.h"

#define RARE(name, Y)                                                                              \
  BUILTIN_OUT_OF_LINE float name(float x, Y y);                                                    \
  BUILTIN_RARE float __fma_rare_##name(float x, Y y) {                                             \
    return name(x, y);                                                                             \
  }                                                                                                \
  static inline BUILTIN float rare_##name(float x, Y y) {                                          \
    return __fma_rare_##name(x, y);                                                                \
  }                                                                                                \
  EACH_VECTOR(RARE_ELEMENTS, name, Y)
#define RARE_ELEMENTS(N, name, Y)                                                                  \
  static inline BUILTIN float##N rare_##name(float##N x, Y##N y) {                                 \
    float##N result;                                                                               \
    for (int i = 0; i < N; ++i)                                                                    \
      result[i] = rare_##name(x[i], y[i]);                                                         \
    return result;                                                                                 \
  }
RARE(pow, float)
RARE(powr, float)
RARE(pown, int)
RARE(rootn, int)
#undef RARE
#undef RARE_ELEMENTS

#include "each_width.h"
#else

#include "scaling.h"

#define FORM(name) __fma_##name
#define ROUNDER 0x1.8p23f

static inline BUILTIN Float reciprocal(Float x) {
  return 1.0f / x;
}

#include "log2_in_parts.h"

static inline BUILTIN Float logarithm_in_parts(Float x, private Float* second) {
  Float first = log2_in_parts(x, (Float)0.0f, second), sum = first + *second;
  *second = (first - sum) + *second;
  return sum;
}

// As exp2 in math/exponential.cl. The result is 0 or infinity long before x is cut.
static inline BUILTIN Float power_in_parts(Float x, Float tail) {
  Float cut = x < -200.0f ? (Float)-200.0f : x;
  cut = cut > 200.0f ? (Float)200.0f : cut;
  Float whole = (cut + ROUNDER) - ROUNDER;
  Float rest = (cut - whole) + (cut == x ? tail : (Float)0.0f);
  Float curve = (1.535332849e-4f * rest + 1.339890063e-3f) * rest + 9.618437849e-3f;
  curve = ((curve * rest + 5.550332367e-2f) * rest + 0.2402264774f) * rest + 0.6931471825f;
  return __quern_scaled(curve * rest + 1.0f, whole);
}

static inline BUILTIN Int is_subnormal(Float x) {
  Float magnitude = __builtin_elementwise_abs(x);
  return magnitude < 0x1p-126f && magnitude > 0.0f;
}

#define Number Float
#define Integer Int
#define IS_ORDINARY is_positive_normal
#define LEAVE_SUBNORMAL(name, x, y, power)                                                         \
  if (UNLIKELY(any_lane(is_subnormal(x))))                                                         \
    power = is_subnormal(x) ? rare_##name(x, y) : power;
#include "power_forms.h"
#undef IS_ORDINARY
#undef LEAVE_SUBNORMAL
#undef Number
#undef Integer

#undef fma
#undef FORM
#undef ROUNDER
#endif
