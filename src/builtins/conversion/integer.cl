// Conversions between integer types. Nothing is rounded, so all rounding modes are one function.
#include "limits.h"
#include "wide.h"

#define EACH_ROUNDING(M, ...)                                                                      \
  M(, __VA_ARGS__)                                                                                 \
  M(_rte, __VA_ARGS__) M(_rtz, __VA_ARGS__) M(_rtp, __VA_ARGS__) M(_rtn, __VA_ARGS__)

// The bounds that both types can represent, in the source's type; comparing as 128-bit numbers is
// right for every pair of types.
typedef _BitInt(128) bound;
#define LOWER_BOUND(FROM, TO)                                                                      \
  (FROM)((bound)LOWEST_##FROM > (bound)LOWEST_##TO ? (bound)LOWEST_##FROM : (bound)LOWEST_##TO)
#define UPPER_BOUND(FROM, TO)                                                                      \
  (FROM)((bound)HIGHEST_##FROM < (bound)HIGHEST_##TO ? (bound)HIGHEST_##FROM : (bound)HIGHEST_##TO)

#define CONVERSION(ROUNDING, N, FROM, TO)                                                          \
  BUILTIN TO##N convert_##TO##N##ROUNDING(FROM##N x) {                                             \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_sat##ROUNDING(FROM##N x) {                                       \
    x = __builtin_elementwise_max(x, (FROM##N)LOWER_BOUND(FROM, TO));                              \
    x = __builtin_elementwise_min(x, (FROM##N)UPPER_BOUND(FROM, TO));                              \
    return CONVERT(N, TO, x);                                                                      \
  }
#define CONVERSION_PAIR(N, FROM, TO) EACH_ROUNDING(CONVERSION, N, FROM, TO)
#define CONVERSIONS(N, T, S, U, BITS)                                                              \
  CONVERSION_PAIR(N, T, char)                                                                      \
  CONVERSION_PAIR(N, T, uchar)                                                                     \
  CONVERSION_PAIR(N, T, short)                                                                     \
  CONVERSION_PAIR(N, T, ushort)                                                                    \
  CONVERSION_PAIR(N, T, int)                                                                       \
  CONVERSION_PAIR(N, T, uint)                                                                      \
  CONVERSION_PAIR(N, T, long)                                                                      \
  CONVERSION_PAIR(N, T, ulong)
EACH_INTEGER(EACH_WIDTH, CONVERSIONS)
