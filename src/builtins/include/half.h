// Rounding to half, as its bit pattern in a ushort, in every mode. The nearest half to a float is
// what processors have an instruction for; the others are found in integer arithmetic.
#pragma once

#include "floating.h"

#define HALF_TO_FLOAT(N, ...)                                                                      \
  static inline BUILTIN float##N half_to_float(ushort##N bits) {                                   \
    return CONVERT(N, float, REINTERPRET(N, half, bits));                                          \
  }                                                                                                \
  static inline BUILTIN ushort##N to_half_rte(float##N x) {                                        \
    return REINTERPRET(N, ushort, CONVERT(N, half, x));                                            \
  }
EACH_WIDTH(HALF_TO_FLOAT)

// Whether a rounding mode adds one to the magnitude that was kept, from the bits that were dropped,
// and the largest magnitude that it makes of numbers beyond the range.
#define DROPPED(N, U) (source & (((U##N)1 << shift) - 1))
#define HALF_WAY(N, U) ((U##N)1 << (shift - 1))
#define GROWS_rte(N, S, U)                                                                         \
  (DROPPED(N, U) > HALF_WAY(N, U) || (DROPPED(N, U) == HALF_WAY(N, U) && (kept & 1) != 0))
#define GROWS_rtz(N, S, U) ((S##N)0)
#define GROWS_rtp(N, S, U) (DROPPED(N, U) != 0 && !negative)
#define GROWS_rtn(N, S, U) (DROPPED(N, U) != 0 && negative)
#define LARGEST_rte(N, U) ((U##N)0x7c00)
#define LARGEST_rtz(N, U) ((U##N)0x7bff)
#define LARGEST_rtp(N, U) (negative ? (U##N)0x7bff : (U##N)0x7c00)
#define LARGEST_rtn(N, U) (negative ? (U##N)0x7c00 : (U##N)0x7bff)

// A normal half keeps the exponent, rebiased, and 10 bits of fraction. For a subnormal half, the
// whole significand is shifted as far as its exponent lies below the range; what lies further below
// than the last bit decides nothing but that something was dropped.
#define TO_HALF(MODE, N, T, S, U, BITS)                                                            \
  static inline BUILTIN ushort##N to_half_##MODE(T##N x) {                                         \
    const U cut = FRACTION_BITS_##T - 10, fraction_mask = ((U)1 << FRACTION_BITS_##T) - 1;         \
    const U##N infinite = (U)INFINITY_BITS_##T;                                                    \
    S##N negative = REINTERPRET(N, S, x) >> (S##N)(BITS - 1);                                      \
    U##N magnitude = REINTERPRET(N, U, __builtin_elementwise_abs(x));                              \
    U##N exponent = magnitude >> FRACTION_BITS_##T;                                                \
    S##N is_subnormal = exponent < (U##N)(BIAS_##T - 14);                                          \
    U##N significand =                                                                             \
        (magnitude & fraction_mask) | (exponent != 0 ? (U##N)(fraction_mask + 1) : (U##N)0);       \
    U##N rebiased = magnitude - ((U)(BIAS_##T - 15) << FRACTION_BITS_##T);                         \
    U##N below = __builtin_elementwise_min((U)(BIAS_##T - 14) - exponent, (U##N)12);               \
    U##N shift = is_subnormal ? cut + below : (U##N)cut;                                           \
    U##N source = is_subnormal ? significand : rebiased;                                           \
    U##N kept = source >> shift;                                                                   \
    kept += GROWS_##MODE(N, S, U) ? (U##N)1 : (U##N)0;                                             \
    kept = __builtin_elementwise_min(kept, LARGEST_##MODE(N, U));                                  \
    U##N special =                                                                                 \
        magnitude > infinite ? 0x7e00 | ((magnitude & fraction_mask) >> cut) : (U##N)0x7c00;       \
    U##N result = (magnitude >= infinite ? special : kept) | (negative ? (U##N)0x8000 : (U##N)0);  \
    return CONVERT(N, ushort, result);                                                             \
  }
#define TO_HALF_DIRECTED(N, T, S, U, BITS)                                                         \
  TO_HALF(rtz, N, T, S, U, BITS)                                                                   \
  TO_HALF(rtp, N, T, S, U, BITS) TO_HALF(rtn, N, T, S, U, BITS)
EACH_FLOATING(EACH_WIDTH, TO_HALF_DIRECTED)
#define TO_HALF_RTE(N, T, S, U, BITS) TO_HALF(rte, N, T, S, U, BITS)
EACH_WIDTH(TO_HALF_RTE, double, long, ulong, 64)
