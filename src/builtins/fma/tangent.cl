// tan of float for processors with fused multiply-adds. sin and cos take longer to compile with
// their reduction in float and another way for large numbers than they gain: kernels use them more
// often.
#ifndef WIDTH
#include "lanes.h"

BUILTIN float tan(float x);
BUILTIN_RARE float __fma_large_tan(float x) {
  return tan(x);
}
static inline BUILTIN float large_tan(float x) {
  return __fma_large_tan(x);
}
EACH_VECTOR(ON_ELEMENTS, float, large_tan)

#include "each_width.h"
#else

#define FORM(name) __fma_##name

static inline BUILTIN Float reciprocal(Float x) {
  return 1.0f / x;
}

#include "tangent_in_float.h"

#undef FORM
#endif
