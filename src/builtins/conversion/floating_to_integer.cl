// Conversions of float and double to integer types: rounded as the name says, towards zero by
// default.
#include "limits.h"
#include "types.h"

#define ROUND_(x) (x)
#define ROUND__rtz(x) (x)
#define ROUND__rte(x) __builtin_elementwise_roundeven(x)
#define ROUND__rtp(x) __builtin_elementwise_ceil(x)
#define ROUND__rtn(x) __builtin_elementwise_floor(x)

// The first value above the range of each type: a power of two, which float and double represent.
#define BEYOND_char 0x1p7f
#define BEYOND_uchar 0x1p8f
#define BEYOND_short 0x1p15f
#define BEYOND_ushort 0x1p16f
#define BEYOND_int 0x1p31f
#define BEYOND_uint 0x1p32f
#define BEYOND_long 0x1p63f
#define BEYOND_ulong 0x1p64f

// A comparison's result, of elements as wide as FROM's signed twin, spread or cut to elements as
// wide as the result.
#define IS_TRUE_(TO, condition) (condition)
#define IS_TRUE_2(TO, condition) __builtin_convertvector(condition, TO##2)
#define IS_TRUE_3(TO, condition) __builtin_convertvector(condition, TO##3)
#define IS_TRUE_4(TO, condition) __builtin_convertvector(condition, TO##4)
#define IS_TRUE_8(TO, condition) __builtin_convertvector(condition, TO##8)
#define IS_TRUE_16(TO, condition) __builtin_convertvector(condition, TO##16)

// A value outside of the range never reaches the conversion instruction: it is replaced by zero
// before and its result after. NaN fails every comparison and leaves the zero. The lowest value is
// a power of two as well, or zero.
#define CONVERSION(ROUNDING, N, FROM, TO, SIGNED_TO)                                               \
  BUILTIN TO##N convert_##TO##N##ROUNDING(FROM##N x) {                                             \
    return CONVERT(N, TO, ROUND_##ROUNDING(x));                                                    \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_sat##ROUNDING(FROM##N x) {                                       \
    x = ROUND_##ROUNDING(x);                                                                       \
    const FROM##N lowest = (FROM)LOWEST_##TO, beyond = (FROM)BEYOND_##TO;                          \
    FROM##N inside = (x > lowest && x < beyond) ? x : (FROM##N)0;                                  \
    TO##N result = CONVERT(N, TO, inside);                                                         \
    result = IS_TRUE_##N(SIGNED_TO, x <= lowest) ? (TO##N)LOWEST_##TO : result;                    \
    return IS_TRUE_##N(SIGNED_TO, x >= beyond) ? (TO##N)HIGHEST_##TO : result;                     \
  }
#define CONVERSION_PAIR(N, FROM, TO, SIGNED_TO)                                                    \
  CONVERSION(, N, FROM, TO, SIGNED_TO)                                                             \
  CONVERSION(_rte, N, FROM, TO, SIGNED_TO)                                                         \
  CONVERSION(_rtz, N, FROM, TO, SIGNED_TO)                                                         \
  CONVERSION(_rtp, N, FROM, TO, SIGNED_TO)                                                         \
  CONVERSION(_rtn, N, FROM, TO, SIGNED_TO)
#define CONVERSIONS(N, T, S, U, BITS)                                                              \
  CONVERSION_PAIR(N, float, T, S) CONVERSION_PAIR(N, double, T, S)
EACH_INTEGER(EACH_WIDTH, CONVERSIONS)
