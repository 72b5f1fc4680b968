// frexp, ilogb, ldexp and logb: the exponent taken out of a number or changed, on the bit pattern.
#include "floating.h"

// A number x other than zero, infinity and NaN is normal * 2^shift with normal in the normal range;
// the exponent of x is that of the first digit.
#define NORMALIZED(N, T, S, x)                                                                     \
  const T##N magnitude_##x = __builtin_elementwise_abs(x);                                         \
  const S##N is_subnormal_##x = magnitude_##x < LEAST_NORMAL_##T;                                  \
  const T##N normal_##x = is_subnormal_##x ? x * NORMALIZER_##T : x;                               \
  const S##N bits_##x = REINTERPRET(N, S, normal_##x);                                             \
  const S##N stored_##x = (bits_##x >> FRACTION_BITS_##T) & (S##N)MAX_EXPONENT_##T;                \
  const S##N exponent_##x =                                                                        \
      stored_##x - (is_subnormal_##x ? (S##N)(BIAS_##T + NORMALIZER_EXPONENT) : (S##N)BIAS_##T)

#define IS_INFINITE_OR_NAN(N, T, S, x)                                                             \
  (REINTERPRET(N, S, __builtin_elementwise_abs(x)) >= (S##N)INFINITY_BITS_##T)

#define EXPONENT(N, T, S, U, BITS)                                                                 \
  BUILTIN int##N ilogb(T##N x) {                                                                   \
    NORMALIZED(N, T, S, x);                                                                        \
    S##N result = IS_INFINITE_OR_NAN(N, T, S, x) ? (S##N)INT_MAX : exponent_x;                     \
    return CONVERT(N, int, magnitude_x == (T##N)0 ? (S##N)INT_MIN : result);                       \
  }                                                                                                \
  BUILTIN T##N logb(T##N x) {                                                                      \
    NORMALIZED(N, T, S, x);                                                                        \
    T##N result = IS_INFINITE_OR_NAN(N, T, S, x) ? x * x : CONVERT(N, T, exponent_x);              \
    return magnitude_x == (T##N)0 ? (T##N) - INFINITY : result;                                    \
  }                                                                                                \
  static inline BUILTIN T##N split_exponent(T##N x, private int##N* exponent) {                    \
    NORMALIZED(N, T, S, x);                                                                        \
    S##N has_none = magnitude_x == (T##N)0 || IS_INFINITE_OR_NAN(N, T, S, x);                      \
    S##N fraction = (bits_x & ~((S##N)MAX_EXPONENT_##T << FRACTION_BITS_##T)) |                    \
                    ((S##N)(BIAS_##T - 1) << FRACTION_BITS_##T);                                   \
    *exponent = CONVERT(N, int, has_none ? (S##N)0 : exponent_x + (S##N)1);                        \
    return has_none ? x : REINTERPRET(N, T, fraction);                                             \
  }                                                                                                \
  EACH_SPACE(FREXP, N, T)                                                                          \
  /* A first factor sets the exponent as far as that of a normal number can go, which is exact.    \
   * The second makes a subnormal */                                                               \
  /* number or infinity of it where the exponent goes further: the only rounding. */               \
  BUILTIN T##N ldexp(T##N x, int##N count) {                                                       \
    NORMALIZED(N, T, S, x);                                                                        \
    S##N has_none = magnitude_x == (T##N)0 || IS_INFINITE_OR_NAN(N, T, S, x);                      \
    const S##N limit = (S##N)(4 * BIAS_##T);                                                       \
    S##N step =                                                                                    \
        __builtin_elementwise_min(__builtin_elementwise_max(CONVERT(N, S, count), -limit), limit); \
    S##N wanted = exponent_x + step;                                                               \
    S##N first = __builtin_elementwise_min(                                                        \
        __builtin_elementwise_max(wanted, (S##N)(1 - BIAS_##T)), (S##N)BIAS_##T);                  \
    S##N second = __builtin_elementwise_min(                                                       \
        __builtin_elementwise_max(wanted - first, (S##N)(-BIAS_##T + 1)), (S##N)1);                \
    S##N scaled = (bits_x & ~((S##N)MAX_EXPONENT_##T << FRACTION_BITS_##T)) |                      \
                  ((first + (S##N)BIAS_##T) << FRACTION_BITS_##T);                                 \
    T##N factor = REINTERPRET(N, T, (S##N)((second + (S##N)BIAS_##T) << FRACTION_BITS_##T));       \
    return has_none ? x : REINTERPRET(N, T, scaled) * factor;                                      \
  }
#define FREXP(SPACE, N, T)                                                                         \
  BUILTIN T##N frexp(T##N x, SPACE int##N* exponent) {                                             \
    int##N result;                                                                                 \
    T##N fraction = split_exponent(x, &result);                                                    \
    *exponent = result;                                                                            \
    return fraction;                                                                               \
  }
EACH_FLOATING(EACH_WIDTH, EXPONENT)

#define LDEXP_BY_SCALAR(N, T, S, U, BITS)                                                          \
  BUILTIN T##N ldexp(T##N x, int count) {                                                          \
    return ldexp(x, (int##N)count);                                                                \
  }
EACH_FLOATING(EACH_VECTOR, LDEXP_BY_SCALAR)
