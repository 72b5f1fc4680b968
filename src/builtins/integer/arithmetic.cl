// abs, hadd, rhadd, mul_hi, mad_hi, mul24, mad24 and upsample (OpenCL C specification, integer
// functions).
#include "wide.h"

// The absolute value of the least number is its bit pattern read as unsigned.
#define ABS_SIGNED(N, T, S, U, BITS)                                                               \
  BUILTIN U##N abs(T##N x) {                                                                       \
    return REINTERPRET(N, U, __builtin_elementwise_abs(x));                                        \
  }
#define ABS_UNSIGNED(N, T, S, U, BITS)                                                             \
  BUILTIN U##N abs(T##N x) {                                                                       \
    return x;                                                                                      \
  }
EACH_SIGNED(EACH_WIDTH, ABS_SIGNED)
EACH_UNSIGNED(EACH_WIDTH, ABS_UNSIGNED)

// Halves are added first, so that nothing overflows; the lowest bits decide the rest.
#define HALVING_ADD(N, T, S, U, BITS)                                                              \
  BUILTIN T##N hadd(T##N x, T##N y) {                                                              \
    return (T##N)((x >> (T)1) + (y >> (T)1) + (x & y & (T)1));                                     \
  }                                                                                                \
  BUILTIN T##N rhadd(T##N x, T##N y) {                                                             \
    return (T##N)((x >> (T)1) + (y >> (T)1) + ((x | y) & (T)1));                                   \
  }
EACH_INTEGER(EACH_WIDTH, HALVING_ADD)

#define HIGH_PRODUCT(N, T, S, U, BITS)                                                             \
  BUILTIN T##N mul_hi(T##N x, T##N y) {                                                            \
    wide_##T##N product = CONVERT(N, wide_##T, x) * CONVERT(N, wide_##T, y);                       \
    return CONVERT(N, T, product >> (wide_##T##N)BITS);                                            \
  }                                                                                                \
  BUILTIN T##N mad_hi(T##N x, T##N y, T##N z) {                                                    \
    return REINTERPRET(N, T, (U##N)(REINTERPRET(N, U, mul_hi(x, y)) + REINTERPRET(N, U, z)));      \
  }
EACH_INTEGER(EACH_WIDTH, HIGH_PRODUCT)

// Within the range of 24 bits that the specification allows, the full product is the product.
// Signed overflow outside of it must not be undefined, so the arithmetic is unsigned.
#define PRODUCT_24(N, T, S, U, BITS)                                                               \
  BUILTIN T##N mul24(T##N x, T##N y) {                                                             \
    return REINTERPRET(N, T, REINTERPRET(N, U, x) * REINTERPRET(N, U, y));                         \
  }                                                                                                \
  BUILTIN T##N mad24(T##N x, T##N y, T##N z) {                                                     \
    return REINTERPRET(N, T, REINTERPRET(N, U, x) * REINTERPRET(N, U, y) + REINTERPRET(N, U, z));  \
  }
EACH_WIDTH(PRODUCT_24, int, int, uint, 32)
EACH_WIDTH(PRODUCT_24, uint, int, uint, 32)

#define UPSAMPLE(N, T, U, RESULT, BITS)                                                            \
  BUILTIN RESULT##N upsample(T##N high, U##N low) {                                                \
    return (RESULT##N)(CONVERT(N, RESULT, high) << (RESULT##N)BITS) | CONVERT(N, RESULT, low);     \
  }
EACH_WIDTH(UPSAMPLE, char, uchar, short, 8)
EACH_WIDTH(UPSAMPLE, uchar, uchar, ushort, 8)
EACH_WIDTH(UPSAMPLE, short, ushort, int, 16)
EACH_WIDTH(UPSAMPLE, ushort, ushort, uint, 16)
EACH_WIDTH(UPSAMPLE, int, uint, long, 32)
EACH_WIDTH(UPSAMPLE, uint, uint, ulong, 32)
