// The forms of the common functions that take one number for all components.
#pragma once

#include "types.h"

#define COMMON_BY_SCALAR(N, T, ...)                                                                \
  BUILTIN T##N max(T##N x, T y) {                                                                  \
    return max(x, (T##N)y);                                                                        \
  }                                                                                                \
  BUILTIN T##N min(T##N x, T y) {                                                                  \
    return min(x, (T##N)y);                                                                        \
  }                                                                                                \
  BUILTIN T##N clamp(T##N x, T low, T high) {                                                      \
    return clamp(x, (T##N)low, (T##N)high);                                                        \
  }                                                                                                \
  BUILTIN T##N mix(T##N x, T##N y, T share) {                                                      \
    return mix(x, y, (T##N)share);                                                                 \
  }                                                                                                \
  BUILTIN T##N step(T edge, T##N x) {                                                              \
    return step((T##N)edge, x);                                                                    \
  }                                                                                                \
  BUILTIN T##N smoothstep(T low, T high, T##N x) {                                                 \
    return smoothstep((T##N)low, (T##N)high, x);                                                   \
  }
