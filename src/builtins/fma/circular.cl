// sin, cos and tan of float for processors with fused multiply-adds.
#ifndef WIDTH
#include "lanes.h"

#define LARGE_ARGUMENTS(name)                                                                      \
  BUILTIN float name(float x);                                                                     \
  BUILTIN_RARE float __fma_large_##name(float x) {                                                 \
    return name(x);                                                                                \
  }                                                                                                \
  static inline BUILTIN float large_##name(float x) {                                              \
    return __fma_large_##name(x);                                                                  \
  }                                                                                                \
  EACH_VECTOR(ON_ELEMENTS, float, large_##name)
LARGE_ARGUMENTS(sin)
LARGE_ARGUMENTS(cos)
LARGE_ARGUMENTS(tan)
#undef LARGE_ARGUMENTS

#include "each_width.h"
#else

#define FORM(name) __fma_##name

static inline BUILTIN Float reciprocal(Float x) {
  return 1.0f / x;
}

#include "circular_in_float.h"

#undef FORM
#endif
