// sin, cos and tan of float for processors with fused multiply-adds.
#ifndef WIDTH
#include "lanes.h"

#define LARGE_FORM(name)                                                                           \
  BUILTIN float name(float x);                                                                     \
  BUILTIN_RARE float __fma_large_##name(float x) {                                                 \
    return name(x);                                                                                \
  }                                                                                                \
  static inline BUILTIN float large_##name(float x) {                                              \
    return __fma_large_##name(x);                                                                  \
  }                                                                                                \
  EACH_VECTOR(ON_ELEMENTS, float, large_##name)
#define ON_ELEMENTS(N, T, name)                                                                    \
  static inline BUILTIN T##N name(T##N x) {                                                        \
    T##N result;                                                                                   \
    for (int i = 0; i < N; ++i)                                                                    \
      result[i] = name(x[i]);                                                                      \
    return result;                                                                                 \
  }
LARGE_FORM(sin)
LARGE_FORM(cos)
LARGE_FORM(tan)
#undef LARGE_FORM
#undef ON_ELEMENTS

#include "each_width.h"
#else

#define FORM(name) __fma_##name

static inline BUILTIN Float reciprocal(Float x) {
  return 1.0f / x;
}

#include "circular_in_float.h"

#undef FORM
#endif
