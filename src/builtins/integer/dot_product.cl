// The functions of cl_khr_integer_dot_product: sums of four products of 8-bit numbers.
#include "types.h"

#define DOT_PRODUCT(A, B, RESULT)                                                                  \
  BUILTIN RESULT dot(A##4 x, B##4 y) {                                                             \
    RESULT##4 products =                                                                           \
        __builtin_convertvector(x, RESULT##4) * __builtin_convertvector(y, RESULT##4);             \
    return products.x + products.y + products.z + products.w;                                      \
  }                                                                                                \
  BUILTIN RESULT dot_acc_sat(A##4 x, B##4 y, RESULT sum) {                                         \
    return __builtin_elementwise_add_sat(dot(x, y), sum);                                          \
  }
DOT_PRODUCT(uchar, uchar, uint)
DOT_PRODUCT(char, char, int)
DOT_PRODUCT(uchar, char, int)
DOT_PRODUCT(char, uchar, int)

#define PACKED_DOT_PRODUCT(A, B, SUFFIX, RESULT)                                                   \
  BUILTIN RESULT dot_4x8packed_##SUFFIX(uint x, uint y) {                                          \
    return dot(__builtin_astype(x, A##4), __builtin_astype(y, B##4));                              \
  }                                                                                                \
  BUILTIN RESULT dot_acc_sat_4x8packed_##SUFFIX(uint x, uint y, RESULT sum) {                      \
    return dot_acc_sat(__builtin_astype(x, A##4), __builtin_astype(y, B##4), sum);                 \
  }
PACKED_DOT_PRODUCT(uchar, uchar, uu_uint, uint)
PACKED_DOT_PRODUCT(char, char, ss_int, int)
PACKED_DOT_PRODUCT(uchar, char, us_int, int)
PACKED_DOT_PRODUCT(char, uchar, su_int, int)
