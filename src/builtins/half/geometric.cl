// The geometric functions of half, evaluated in float.
#include "in_float.h"

#define GEOMETRIC(N, ...)                                                                          \
  BUILTIN_OUT_OF_LINE float dot(float##N x, float##N y);                                           \
  BUILTIN_OUT_OF_LINE float length(float##N v);                                                    \
  BUILTIN_OUT_OF_LINE float distance(float##N x, float##N y);                                      \
  BUILTIN_OUT_OF_LINE float##N normalize(float##N v);                                              \
  BUILTIN half dot(half##N x, half##N y) {                                                         \
    return (half)dot(WIDE(N, x), WIDE(N, y));                                                      \
  }                                                                                                \
  BUILTIN half length(half##N v) {                                                                 \
    return (half)length(WIDE(N, v));                                                               \
  }                                                                                                \
  BUILTIN half distance(half##N x, half##N y) {                                                    \
    return (half)distance(WIDE(N, x), WIDE(N, y));                                                 \
  }                                                                                                \
  BUILTIN half##N normalize(half##N v) {                                                           \
    return NARROW(N, normalize(WIDE(N, v)));                                                       \
  }
GEOMETRIC()
GEOMETRIC(2)
GEOMETRIC(3)
GEOMETRIC(4)

IN_FLOAT_2(3, cross)
IN_FLOAT_2(4, cross)
