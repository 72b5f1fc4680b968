// Conversions of integer types to float and double, correctly rounded in every mode without
// touching the processor's rounding mode.
#include "types.h"

#define NEAREST(N, FROM, TO)                                                                       \
  BUILTIN TO##N convert_##TO##N(FROM##N x) {                                                       \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rte(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }

// Where every value of the source is a value of the result, no mode differs.
#define EXACT(N, FROM, TO)                                                                         \
  NEAREST(N, FROM, TO)                                                                             \
  BUILTIN TO##N convert_##TO##N##_rtz(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtp(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtn(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }
EACH_WIDTH(EXACT, char, float)
EACH_WIDTH(EXACT, uchar, float)
EACH_WIDTH(EXACT, short, float)
EACH_WIDTH(EXACT, ushort, float)
EACH_WIDTH(EXACT, char, double)
EACH_WIDTH(EXACT, uchar, double)
EACH_WIDTH(EXACT, short, double)
EACH_WIDTH(EXACT, ushort, double)
EACH_WIDTH(EXACT, int, double)
EACH_WIDTH(EXACT, uint, double)

// The magnitude is cut to the DIGITS leading bits that the result can hold, and these convert
// exactly. Where bits were cut off and the mode rounds away from zero, the next magnitude's bit
// pattern is the successor of that one's.
#define MAGNITUDE(N, S, U, BITS, TO, TO_U, DIGITS)                                                 \
  static inline BUILTIN TO_U##N magnitude_as_##TO(U##N magnitude, S##N away_from_zero) {           \
    U##N zeros = __builtin_elementwise_clzg(magnitude, (U##N)(BITS - 1));                          \
    U##N dropped_bits = __builtin_elementwise_sub_sat((U##N)(BITS - DIGITS), zeros);               \
    U##N dropped = magnitude & (((U##N)1 << dropped_bits) - (U##N)1);                              \
    U##N step = (away_from_zero && dropped != (U##N)0) ? (U##N)1 : (U##N)0;                        \
    return REINTERPRET(N, TO_U, CONVERT(N, TO, magnitude - dropped)) + CONVERT(N, TO_U, step);     \
  }
EACH_WIDTH(MAGNITUDE, int, uint, 32, float, uint, 24)
EACH_WIDTH(MAGNITUDE, long, ulong, 64, float, uint, 24)
EACH_WIDTH(MAGNITUDE, long, ulong, 64, double, ulong, 53)

#define SIGNED_DIRECTED(MODE, N, S, U, BITS, TO, TO_U, TO_BITS, AWAY)                              \
  BUILTIN TO##N convert_##TO##N##MODE(S##N x) {                                                    \
    S##N negative = x >> (S##N)(BITS - 1);                                                         \
    U##N magnitude = REINTERPRET(N, U, __builtin_elementwise_abs(x));                              \
    TO_U##N sign = CONVERT(N, TO_U, negative) << (TO_U##N)(TO_BITS - 1);                           \
    return REINTERPRET(N, TO, magnitude_as_##TO(magnitude, AWAY) | sign);                          \
  }
#define SIGNED_ROUNDED(N, S, U, BITS, TO, TO_U, TO_BITS)                                           \
  NEAREST(N, S, TO)                                                                                \
  SIGNED_DIRECTED(_rtz, N, S, U, BITS, TO, TO_U, TO_BITS, (S##N)0)                                 \
  SIGNED_DIRECTED(_rtp, N, S, U, BITS, TO, TO_U, TO_BITS, ~negative)                               \
  SIGNED_DIRECTED(_rtn, N, S, U, BITS, TO, TO_U, TO_BITS, negative)
EACH_WIDTH(SIGNED_ROUNDED, int, uint, 32, float, uint, 32)
EACH_WIDTH(SIGNED_ROUNDED, long, ulong, 64, float, uint, 32)
EACH_WIDTH(SIGNED_ROUNDED, long, ulong, 64, double, ulong, 64)

#define UNSIGNED_ROUNDED(N, S, U, TO)                                                              \
  NEAREST(N, U, TO)                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtz(U##N x) {                                                    \
    return REINTERPRET(N, TO, magnitude_as_##TO(x, (S##N)0));                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtp(U##N x) {                                                    \
    return REINTERPRET(N, TO, magnitude_as_##TO(x, (S##N) - 1));                                   \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtn(U##N x) {                                                    \
    return REINTERPRET(N, TO, magnitude_as_##TO(x, (S##N)0));                                      \
  }
EACH_WIDTH(UNSIGNED_ROUNDED, int, uint, float)
EACH_WIDTH(UNSIGNED_ROUNDED, long, ulong, float)
EACH_WIDTH(UNSIGNED_ROUNDED, long, ulong, double)
