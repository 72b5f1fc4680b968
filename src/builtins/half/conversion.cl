// Conversions to and from half. Every half is a float, so those from half are conversions from
// float; those to half round the bit pattern, but for the nearest half to a float, which is an
// instruction.
#include "half.h"

#define EACH_MODE(M, ...)                                                                          \
  M(, rte, __VA_ARGS__)                                                                            \
  M(_rte, rte, __VA_ARGS__)                                                                        \
  M(_rtz, rtz, __VA_ARGS__) M(_rtp, rtp, __VA_ARGS__) M(_rtn, rtn, __VA_ARGS__)

#define EXACT(SUFFIX, MODE, N, TO)                                                                 \
  BUILTIN TO##N convert_##TO##N##SUFFIX(half##N x) {                                               \
    return CONVERT(N, TO, x);                                                                      \
  }
#define EXACT_MODES(N, ...)                                                                        \
  EACH_MODE(EXACT, N, half) EACH_MODE(EXACT, N, float) EACH_MODE(EXACT, N, double)
EACH_WIDTH(EXACT_MODES)

#define ROUNDED(SUFFIX, MODE, N, FROM)                                                             \
  BUILTIN half##N convert_half##N##SUFFIX(FROM##N x) {                                             \
    return REINTERPRET(N, half, to_half_##MODE(x));                                                \
  }
#define ROUNDED_MODES(N, T, S, U, BITS) EACH_MODE(ROUNDED, N, T)
EACH_FLOATING(EACH_WIDTH, ROUNDED_MODES)

#define TO_INTEGER(SUFFIX, MODE, N, T)                                                             \
  BUILTIN_OUT_OF_LINE T##N convert_##T##N##SUFFIX(float##N x);                                     \
  BUILTIN_OUT_OF_LINE T##N convert_##T##N##_sat##SUFFIX(float##N x);                               \
  BUILTIN T##N convert_##T##N##SUFFIX(half##N x) {                                                 \
    return convert_##T##N##SUFFIX(CONVERT(N, float, x));                                           \
  }                                                                                                \
  BUILTIN T##N convert_##T##N##_sat##SUFFIX(half##N x) {                                           \
    return convert_##T##N##_sat##SUFFIX(CONVERT(N, float, x));                                     \
  }
#define TO_INTEGER_MODES(N, T, S, U, BITS) EACH_MODE(TO_INTEGER, N, T)
EACH_INTEGER(EACH_WIDTH, TO_INTEGER_MODES)

// All integers beyond 2^17 round as 2^17 does. What is left is a float.
#define BOUNDED_char(N, T, x) (x)
#define BOUNDED_uchar(N, T, x) (x)
#define BOUNDED_short(N, T, x) (x)
#define BOUNDED_ushort(N, T, x) (x)
#define BOUNDED_uint(N, T, x) __builtin_elementwise_min(x, (T##N)131072)
#define BOUNDED_ulong(N, T, x) __builtin_elementwise_min(x, (T##N)131072)
#define BOUNDED_int(N, T, x)                                                                       \
  __builtin_elementwise_max(__builtin_elementwise_min(x, (T##N)131072), (T##N) - 131072)
#define BOUNDED_long BOUNDED_int
#define FROM_INTEGER(SUFFIX, MODE, N, T)                                                           \
  BUILTIN half##N convert_half##N##SUFFIX(T##N x) {                                                \
    return REINTERPRET(N, half, to_half_##MODE(CONVERT(N, float, BOUNDED_##T(N, T, x))));          \
  }
#define FROM_INTEGER_MODES(N, T, S, U, BITS) EACH_MODE(FROM_INTEGER, N, T)
EACH_INTEGER(EACH_WIDTH, FROM_INTEGER_MODES)
