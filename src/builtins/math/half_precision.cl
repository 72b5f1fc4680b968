// The half_ functions, of float with at least the precision of half: the full functions, which are
// faster than anything less precise that works for all arguments.
#include "types.h"

#define HALF_PRECISION(N, ...)                                                                     \
  BUILTIN float##N half_cos(float##N x) {                                                          \
    return cos(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N half_divide(float##N x, float##N y) {                                           \
    return x / y;                                                                                  \
  }                                                                                                \
  BUILTIN float##N half_exp(float##N x) {                                                          \
    return exp(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N half_exp2(float##N x) {                                                         \
    return exp2(x);                                                                                \
  }                                                                                                \
  BUILTIN float##N half_exp10(float##N x) {                                                        \
    return exp10(x);                                                                               \
  }                                                                                                \
  BUILTIN float##N half_log(float##N x) {                                                          \
    return log(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N half_log2(float##N x) {                                                         \
    return log2(x);                                                                                \
  }                                                                                                \
  BUILTIN float##N half_log10(float##N x) {                                                        \
    return log10(x);                                                                               \
  }                                                                                                \
  BUILTIN float##N half_powr(float##N x, float##N y) {                                             \
    return powr(x, y);                                                                             \
  }                                                                                                \
  BUILTIN float##N half_recip(float##N x) {                                                        \
    return 1.0f / x;                                                                               \
  }                                                                                                \
  BUILTIN float##N half_rsqrt(float##N x) {                                                        \
    return 1.0f / __builtin_elementwise_sqrt(x);                                                   \
  }                                                                                                \
  BUILTIN float##N half_sin(float##N x) {                                                          \
    return sin(x);                                                                                 \
  }                                                                                                \
  BUILTIN float##N half_sqrt(float##N x) {                                                         \
    return __builtin_elementwise_sqrt(x);                                                          \
  }                                                                                                \
  BUILTIN float##N half_tan(float##N x) {                                                          \
    return tan(x);                                                                                 \
  }
EACH_WIDTH(HALF_PRECISION)
