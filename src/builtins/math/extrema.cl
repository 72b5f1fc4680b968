// fmax and fmin. Of a number and a NaN they return the number. They need not order zeros, as this
// file's options say (OpenCL C 3.0, 6.15.2): that takes three of six instructions.
#include "floating.h"

#define EXTREMA(N, T, S, U, BITS)                                                                  \
  BUILTIN T##N fmax(T##N x, T##N y) {                                                              \
    return __builtin_elementwise_maximumnum(x, y);                                                 \
  }                                                                                                \
  BUILTIN T##N fmin(T##N x, T##N y) {                                                              \
    return __builtin_elementwise_minimumnum(x, y);                                                 \
  }
EACH_FLOATING_AND_HALF(EACH_WIDTH, EXTREMA)

#define WITH_SCALAR(N, T, S, U, BITS)                                                              \
  BUILTIN T##N fmax(T##N x, T y) {                                                                 \
    return __builtin_elementwise_maximumnum(x, (T##N)y);                                           \
  }                                                                                                \
  BUILTIN T##N fmin(T##N x, T y) {                                                                 \
    return __builtin_elementwise_minimumnum(x, (T##N)y);                                           \
  }
EACH_FLOATING_AND_HALF(EACH_VECTOR, WITH_SCALAR)
