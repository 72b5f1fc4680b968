// Functions of half evaluated in float: float has more than twice the bits, so one rounding
// decides.
#pragma once

#include "types.h"

#define WIDE(N, x) CONVERT(N, float, x)
#define NARROW(N, x) CONVERT(N, half, x)

// The function NAME of half from the one of float, by the kinds of its arguments.
#define IN_FLOAT_1(N, NAME)                                                                        \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x);                                                   \
  BUILTIN half##N NAME(half##N x) {                                                                \
    return NARROW(N, NAME(WIDE(N, x)));                                                            \
  }
#define IN_FLOAT_2(N, NAME)                                                                        \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, float##N y);                                       \
  BUILTIN half##N NAME(half##N x, half##N y) {                                                     \
    return NARROW(N, NAME(WIDE(N, x), WIDE(N, y)));                                                \
  }
#define IN_FLOAT_3(N, NAME)                                                                        \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, float##N y, float##N z);                           \
  BUILTIN half##N NAME(half##N x, half##N y, half##N z) {                                          \
    return NARROW(N, NAME(WIDE(N, x), WIDE(N, y), WIDE(N, z)));                                    \
  }
#define IN_FLOAT_WITH_INTEGER(N, NAME)                                                             \
  BUILTIN_OUT_OF_LINE float##N NAME(float##N x, int##N n);                                         \
  BUILTIN half##N NAME(half##N x, int##N n) {                                                      \
    return NARROW(N, NAME(WIDE(N, x), n));                                                         \
  }
