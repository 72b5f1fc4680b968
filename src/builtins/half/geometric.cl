// The geometric functions of half, evaluated in float.
#include "types.h"

#define WIDE(N, x) CONVERT(N, float, x)
#define NARROW(N, x) CONVERT(N, half, x)

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

#define CROSS(N)                                                                                   \
  BUILTIN_OUT_OF_LINE float##N cross(float##N x, float##N y);                                      \
  BUILTIN half##N cross(half##N x, half##N y) {                                                    \
    return NARROW(N, cross(WIDE(N, x), WIDE(N, y)));                                               \
  }
CROSS(3)
CROSS(4)
