// The common functions of half, evaluated in float.
#include "types.h"

#define WIDE(N, x) CONVERT(N, float, x)
#define NARROW(N, x) CONVERT(N, half, x)

#define UNARY(N, NAME)                                                                             \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x);                                                   \
  BUILTIN half##N NAME(half##N x) {                                                                \
    return NARROW(N, NAME(WIDE(N, x)));                                                            \
  }
#define BINARY(N, NAME)                                                                            \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, float##N y);                                       \
  BUILTIN half##N NAME(half##N x, half##N y) {                                                     \
    return NARROW(N, NAME(WIDE(N, x), WIDE(N, y)));                                                \
  }
#define TERNARY(N, NAME)                                                                           \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, float##N y, float##N z);                           \
  BUILTIN half##N NAME(half##N x, half##N y, half##N z) {                                          \
    return NARROW(N, NAME(WIDE(N, x), WIDE(N, y), WIDE(N, z)));                                    \
  }
EACH_WIDTH(UNARY, degrees)
EACH_WIDTH(UNARY, radians)
EACH_WIDTH(UNARY, sign)
EACH_WIDTH(BINARY, max)
EACH_WIDTH(BINARY, min)
EACH_WIDTH(BINARY, step)
EACH_WIDTH(TERNARY, clamp)
EACH_WIDTH(TERNARY, mix)
EACH_WIDTH(TERNARY, smoothstep)

#define WITH_SCALAR(N, ...)                                                                        \
  BUILTIN half##N max(half##N x, half y) {                                                         \
    return max(x, (half##N)y);                                                                     \
  }                                                                                                \
  BUILTIN half##N min(half##N x, half y) {                                                         \
    return min(x, (half##N)y);                                                                     \
  }                                                                                                \
  BUILTIN half##N clamp(half##N x, half low, half high) {                                          \
    return clamp(x, (half##N)low, (half##N)high);                                                  \
  }                                                                                                \
  BUILTIN half##N mix(half##N x, half##N y, half share) {                                          \
    return mix(x, y, (half##N)share);                                                              \
  }                                                                                                \
  BUILTIN half##N step(half edge, half##N x) {                                                     \
    return step((half##N)edge, x);                                                                 \
  }                                                                                                \
  BUILTIN half##N smoothstep(half low, half high, half##N x) {                                     \
    return smoothstep((half##N)low, (half##N)high, x);                                             \
  }
EACH_VECTOR(WITH_SCALAR)
