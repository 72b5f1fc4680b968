// The common functions: degrees, radians, mix, sign, smoothstep and step; clamp, max and min of
// floating-point numbers.
#include "common_scalar.h"

// The specification defines max, min and clamp by comparisons, whose results for NaN are free.
#define COMMON(N, T, S, U, BITS)                                                                   \
  BUILTIN T##N max(T##N x, T##N y) {                                                               \
    return x < y ? y : x;                                                                          \
  }                                                                                                \
  BUILTIN T##N min(T##N x, T##N y) {                                                               \
    return y < x ? y : x;                                                                          \
  }                                                                                                \
  BUILTIN T##N clamp(T##N x, T##N low, T##N high) {                                                \
    return min(max(x, low), high);                                                                 \
  }                                                                                                \
  BUILTIN T##N degrees(T##N angle) {                                                               \
    return angle * (T)57.29577951308232087679815481410517;                                         \
  }                                                                                                \
  BUILTIN T##N radians(T##N angle) {                                                               \
    return angle * (T)0.01745329251994329576923690768488613;                                       \
  }                                                                                                \
  BUILTIN T##N mix(T##N x, T##N y, T##N share) {                                                   \
    return x + (y - x) * share;                                                                    \
  }                                                                                                \
  BUILTIN T##N step(T##N edge, T##N x) {                                                           \
    return x < edge ? (T##N)0 : (T##N)1;                                                           \
  }                                                                                                \
  BUILTIN T##N smoothstep(T##N low, T##N high, T##N x) {                                           \
    T##N share = clamp((x - low) / (high - low), (T##N)0, (T##N)1);                                \
    return share * share * ((T##N)3 - (T##N)2 * share);                                            \
  }                                                                                                \
  BUILTIN T##N sign(T##N x) {                                                                      \
    T##N unit = __builtin_elementwise_copysign((T##N)1, x);                                        \
    T##N result = x == (T##N)0 ? x : unit;                                                         \
    return x != x ? (T##N)0 : result;                                                              \
  }
EACH_FLOATING(EACH_WIDTH, COMMON)

EACH_FLOATING(EACH_VECTOR, COMMON_BY_SCALAR)
