// log, log2 and log10 of float for processors with fused multiply-adds, which usually have a branch
// to spare: numbers that are not positive, finite and normal are left to the other form.
#ifndef WIDTH
#include "lanes.h"

#define RARE(name)                                                                                 \
  BUILTIN_OUT_OF_LINE float name(float x);                                                         \
  BUILTIN_RARE float __fma_rare_##name(float x) {                                                  \
    return name(x);                                                                                \
  }                                                                                                \
  static inline BUILTIN float rare_##name(float x) {                                               \
    return __fma_rare_##name(x);                                                                   \
  }                                                                                                \
  EACH_VECTOR(ON_ELEMENTS, float, rare_##name)
RARE(log)
RARE(log2)
RARE(log10)
#undef RARE

#include "each_width.h"
#else

#include "logarithm_of_parts.h"

#define LOGARITHM(name, of_parts)                                                                  \
  BUILTIN Float __fma_##name(Float x) {                                                            \
  private                                                                                          \
    Float exponent;                                                                                \
    Float f = split_normal(x, &exponent), result = of_parts;                                       \
    if (UNLIKELY(any_lane(!is_positive_normal(x))))                                                \
      result = is_positive_normal(x) ? result : rare_##name(x);                                    \
    return result;                                                                                 \
  }
LOGARITHM(log, logarithm_of_parts(f, exponent, -0.0f))
LOGARITHM(log2, log2_of_parts(f, exponent))
LOGARITHM(log10, log10_of_parts(f, exponent))

#undef LOGARITHM
#undef ROOT_OF_HALF_float
#endif
