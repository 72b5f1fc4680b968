// pow, powr, pown and rootn of float for processors with fused multiply-adds.
#ifndef WIDTH
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
  Float first = log2_in_parts(x, second), sum = first + *second;
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

#define Number Float
#define Integer Int
#include "power_forms.h"
#undef Number
#undef Integer

#undef fma
#undef FORM
#undef ROUNDER
#endif
