// copysign, fabs, fdim, fma, mad, maxmag, minmag, sqrt, rsqrt and nan.
#include "floating.h"

// mad may round once or twice, whichever the processor does faster.
#define ARITHMETIC(N, T, S, U, BITS)                                                               \
  BUILTIN T##N copysign(T##N x, T##N y) {                                                          \
    return __builtin_elementwise_copysign(x, y);                                                   \
  }                                                                                                \
  BUILTIN T##N fabs(T##N x) {                                                                      \
    return __builtin_elementwise_abs(x);                                                           \
  }                                                                                                \
  BUILTIN T##N sqrt(T##N x) {                                                                      \
    return __builtin_elementwise_sqrt(x);                                                          \
  }                                                                                                \
  BUILTIN T##N nan(U##N payload) {                                                                 \
    return REINTERPRET(N, T, (U##N)(payload | (U##N)QUIET_NAN_##T));                               \
  }                                                                                                \
  BUILTIN T##N fdim(T##N x, T##N y) {                                                              \
    /* A NaN is neither greater nor not greater: it comes out of the subtraction. */               \
    return (x <= y) ? (T##N)0 : x - y;                                                             \
  }                                                                                                \
  BUILTIN T##N mad(T##N x, T##N y, T##N z) {                                                       \
    _Pragma("clang fp contract(on)") return x * y + z;                                             \
  }                                                                                                \
  BUILTIN T##N maxmag(T##N x, T##N y) {                                                            \
    T##N x_size = __builtin_elementwise_abs(x), y_size = __builtin_elementwise_abs(y);             \
    return x_size > y_size ? x : y_size > x_size ? y : __builtin_elementwise_maximumnum(x, y);     \
  }                                                                                                \
  BUILTIN T##N minmag(T##N x, T##N y) {                                                            \
    T##N x_size = __builtin_elementwise_abs(x), y_size = __builtin_elementwise_abs(y);             \
    return x_size < y_size ? x : y_size < x_size ? y : __builtin_elementwise_minimumnum(x, y);     \
  }
EACH_FLOATING_AND_HALF(EACH_WIDTH, ARITHMETIC)

#define ROUNDED_ONCE(N, T, S, U, BITS)                                                             \
  BUILTIN T##N fma(T##N x, T##N y, T##N z) {                                                       \
    return __builtin_elementwise_fma(x, y, z);                                                     \
  }
EACH_FLOATING(EACH_WIDTH, ROUNDED_ONCE)

#define RSQRT(N, T)                                                                                \
  BUILTIN T##N rsqrt(T##N x) {                                                                     \
    return (T##N)1 / __builtin_elementwise_sqrt(x);                                                \
  }
EACH_WIDTH(RSQRT, float)
