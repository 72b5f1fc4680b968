// exp and exp2 of float, subnormal results included; those of double are libclc's.
#include "types.h"

// Adding this number rounds to an integer, which is then found in the low bits of the sum.
#define ROUNDER 0x1.8p23f

// Two powers of two that multiply to 2^exponent, each in the normal range for any exponent between
// -252 and 254. The first product is exact, the second rounds a subnormal result once.
#define SCALED(N, value, exponent)                                                                 \
  (value) * REINTERPRET(N, float, (((exponent) >> 1) + 127) << 23) *                               \
      REINTERPRET(N, float, ((exponent) - ((exponent) >> 1) + 127) << 23)

// x = exponent * log(2) + rest; the product with the first part of log(2), which has few digits, is
// exact. Arguments beyond the range of results are cut to where the result is 0 or infinity; NaN
// passes through every operation. The polynomials approximate (exp(x) - 1 - x - x^2 / 2) / x^3 for
// |x| <= log(2) / 2 and (exp2(x) - 1) / x for |x| <= 1 / 2.
#define EXPONENTIAL(N, ...)                                                                        \
  BUILTIN float##N exp(float##N x) {                                                               \
    float##N cut = x < -110.0f ? (float##N) - 110.0f : x;                                          \
    cut = cut > 95.0f ? (float##N)95.0f : cut;                                                     \
    float##N rounded = cut * 1.44269504f + ROUNDER, whole = rounded - ROUNDER;                     \
    int##N exponent = REINTERPRET(N, int, rounded) - REINTERPRET(N, int, (float##N)ROUNDER);       \
    float##N rest = cut - whole * 0.693359375f - whole * -2.12194440e-4f;                          \
    float##N curve =                                                                               \
        ((1.3926926614e-3f * rest + 8.3637738744e-3f) * rest + 4.1666550110e-2f) * rest +          \
        1.6666573382e-1f;                                                                          \
    float##N value = (curve * rest + 0.5f) * (rest * rest) + rest + 1.0f;                          \
    return SCALED(N, value, exponent);                                                             \
  }                                                                                                \
  BUILTIN float##N exp2(float##N x) {                                                              \
    float##N cut = x < -160.0f ? (float##N) - 160.0f : x;                                          \
    cut = cut > 130.0f ? (float##N)130.0f : cut;                                                   \
    float##N rounded = cut + ROUNDER, whole = rounded - ROUNDER, rest = cut - whole;               \
    int##N exponent = REINTERPRET(N, int, rounded) - REINTERPRET(N, int, (float##N)ROUNDER);       \
    float##N curve = (1.5298221267e-5f * rest + 1.54626107578e-4f) * rest + 1.333350012e-3f;       \
    curve = ((curve * rest + 9.61805373433e-3f) * rest + 5.55041088498e-2f) * rest +               \
            2.40226509362e-1f;                                                                     \
    return SCALED(N, (curve * rest + 6.9314718056e-1f) * rest + 1.0f, exponent);                   \
  }
EACH_WIDTH(EXPONENTIAL)
