// native_ and half_ functions: the full functions, which are within their limits. LLVM's own
// intrinsics of sin, exp and the like are no choice: they become calls of the C library's
// functions.
#include "types.h"

#define RELAXED(N, PREFIX)                                                                         \
  BUILTIN float##N PREFIX##_cos(float##N x) {                                                      \
    return cos(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N PREFIX##_divide(float##N x, float##N y) {                                       \
    return x / y;                                                                                  \
  }                                                                                                \
  BUILTIN float##N PREFIX##_exp(float##N x) {                                                      \
    return exp(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N PREFIX##_exp2(float##N x) {                                                     \
    return exp2(x);                                                                                \
  }                                                                                                \
  BUILTIN float##N PREFIX##_exp10(float##N x) {                                                    \
    return exp10(x);                                                                               \
  }                                                                                                \
  BUILTIN float##N PREFIX##_log(float##N x) {                                                      \
    return log(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N PREFIX##_log2(float##N x) {                                                     \
    return log2(x);                                                                                \
  }                                                                                                \
  BUILTIN float##N PREFIX##_log10(float##N x) {                                                    \
    return log10(x);                                                                               \
  }                                                                                                \
  BUILTIN float##N PREFIX##_powr(float##N x, float##N y) {                                         \
    return powr(x, y);                                                                             \
  }                                                                                                \
  BUILTIN float##N PREFIX##_recip(float##N x) {                                                    \
    return 1.0f / x;                                                                               \
  }                                                                                                \
  BUILTIN float##N PREFIX##_rsqrt(float##N x) {                                                    \
    return 1.0f / __builtin_elementwise_sqrt(x);                                                   \
  }                                                                                                \
  BUILTIN float##N PREFIX##_sin(float##N x) {                                                      \
    return sin(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N PREFIX##_sqrt(float##N x) {                                                     \
    return __builtin_elementwise_sqrt(x);                                                          \
  }                                                                                                \
  BUILTIN float##N PREFIX##_tan(float##N x) {                                                      \
    return tan(x);                                                                                 \
  }
EACH_WIDTH(RELAXED, native)
EACH_WIDTH(RELAXED, half)
