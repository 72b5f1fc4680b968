// fmod, remainder and remquo by long division of the significands, exact for all arguments.
#include "floating.h"

// |x| = significand * 2^(exponent - 1) in units of the least subnormal number. Both significands of
// a division at one exponent, the dividend's further bits are brought down STEP at a time, as many
// as fit into 64 bits beside a significand.
#define DIVISION(T, U, STEP)                                                                       \
  static __attribute__((overloadable)) T divide(T x, T y, bool to_nearest,                         \
                                                private int* quotient) {                           \
    *quotient = 0;                                                                                 \
    if (!(__builtin_elementwise_abs(x) < (T)INFINITY) || y != y || y == (T)0)                      \
      return (T)NAN;                                                                               \
    if (__builtin_elementwise_abs(y) == (T)INFINITY)                                               \
      return x;                                                                                    \
    const ulong fraction_mask = ((ulong)1 << FRACTION_BITS_##T) - 1;                               \
    ulong x_bits = __builtin_astype(__builtin_elementwise_abs(x), U),                              \
          y_bits = __builtin_astype(__builtin_elementwise_abs(y), U);                              \
    int x_exponent = (int)(x_bits >> FRACTION_BITS_##T),                                           \
        y_exponent = (int)(y_bits >> FRACTION_BITS_##T);                                           \
    ulong rest = (x_bits & fraction_mask) | (x_exponent ? fraction_mask + 1 : 0);                  \
    ulong divisor = (y_bits & fraction_mask) | (y_exponent ? fraction_mask + 1 : 0);               \
    x_exponent = max(x_exponent, 1);                                                               \
    y_exponent = max(y_exponent, 1);                                                               \
    /* A dividend below half of the divisor is its own remainder; one closer to it is compared at  \
     * a common exponent. */                                                                       \
    if (x_exponent < y_exponent - 1 || (!to_nearest && x_bits < y_bits))                           \
      return x;                                                                                    \
    if (x_exponent < y_exponent) {                                                                 \
      divisor <<= 1;                                                                               \
      y_exponent -= 1;                                                                             \
    }                                                                                              \
    ulong digits = rest / divisor;                                                                 \
    rest %= divisor;                                                                               \
    for (int left = x_exponent - y_exponent; left > 0; left -= STEP) {                             \
      int step = min(left, STEP);                                                                  \
      rest <<= step;                                                                               \
      digits = (digits << step) + rest / divisor;                                                  \
      rest %= divisor;                                                                             \
    }                                                                                              \
    bool is_beyond = to_nearest && (2 * rest > divisor || (2 * rest == divisor && (digits & 1)));  \
    rest = is_beyond ? divisor - rest : rest;                                                      \
    digits += is_beyond;                                                                           \
    int low_digits = (int)(digits & 127);                                                          \
    *quotient = signbit(x) == signbit(y) ? low_digits : -low_digits;                               \
    /* The first digit, which a normal number does not store, adds one to the exponent. */         \
    int shift = min((int)clz(rest) - (63 - FRACTION_BITS_##T), y_exponent - 1);                    \
    ulong bits =                                                                                   \
        rest ? (rest << shift) + ((ulong)(y_exponent - shift - 1) << FRACTION_BITS_##T) : 0;       \
    T magnitude = __builtin_astype((U)bits, T);                                                    \
    return signbit(x) != is_beyond ? -magnitude : magnitude;                                       \
  }                                                                                                \
  BUILTIN T fmod(T x, T y) {                                                                       \
  private                                                                                          \
    int quotient;                                                                                  \
    return divide(x, y, false, &quotient);                                                         \
  }                                                                                                \
  BUILTIN T remainder(T x, T y) {                                                                  \
  private                                                                                          \
    int quotient;                                                                                  \
    return divide(x, y, true, &quotient);                                                          \
  }                                                                                                \
  EACH_SPACE(REMQUO, T)                                                                            \
  EACH_VECTOR(VECTOR_DIVISION, T)
#define REMQUO(SPACE, T)                                                                           \
  BUILTIN T remquo(T x, T y, SPACE int* quotient) {                                                \
  private                                                                                          \
    int result;                                                                                    \
    T rest = divide(x, y, true, &result);                                                          \
    *quotient = result;                                                                            \
    return rest;                                                                                   \
  }

// The number of steps differs between elements, which are divided one by one.
#define VECTOR_DIVISION(N, T)                                                                      \
  BUILTIN T##N fmod(T##N x, T##N y) {                                                              \
    T##N rest;                                                                                     \
    for (int i = 0; i < N; ++i)                                                                    \
      rest[i] = fmod(x[i], y[i]);                                                                  \
    return rest;                                                                                   \
  }                                                                                                \
  BUILTIN T##N remainder(T##N x, T##N y) {                                                         \
    T##N rest;                                                                                     \
    for (int i = 0; i < N; ++i)                                                                    \
      rest[i] = remainder(x[i], y[i]);                                                             \
    return rest;                                                                                   \
  }                                                                                                \
  EACH_SPACE(VECTOR_REMQUO, N, T)
#define VECTOR_REMQUO(SPACE, N, T)                                                                 \
  BUILTIN T##N remquo(T##N x, T##N y, SPACE int##N* quotient) {                                    \
    T##N rest;                                                                                     \
    int##N quotients;                                                                              \
    for (int i = 0; i < N; ++i) {                                                                  \
    private                                                                                        \
      int result;                                                                                  \
      rest[i] = remquo(x[i], y[i], &result);                                                       \
      quotients[i] = result;                                                                       \
    }                                                                                              \
    *quotient = quotients;                                                                         \
    return rest;                                                                                   \
  }
DIVISION(float, uint, 40)
DIVISION(double, ulong, 11)
