// Conversions between float and double.
#include "types.h"

#define EXACT(N, FROM, TO)                                                                         \
  BUILTIN TO##N convert_##TO##N(FROM##N x) {                                                       \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rte(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtz(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtp(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }                                                                                                \
  BUILTIN TO##N convert_##TO##N##_rtn(FROM##N x) {                                                 \
    return CONVERT(N, TO, x);                                                                      \
  }
EACH_WIDTH(EXACT, float, float)
EACH_WIDTH(EXACT, double, double)
EACH_WIDTH(EXACT, float, double)

#define IS_TRUE(N, condition) IS_TRUE_##N(condition)
#define IS_TRUE_(condition) (condition)
#define IS_TRUE_2(condition) __builtin_convertvector(condition, int2)
#define IS_TRUE_3(condition) __builtin_convertvector(condition, int3)
#define IS_TRUE_4(condition) __builtin_convertvector(condition, int4)
#define IS_TRUE_8(condition) __builtin_convertvector(condition, int8)
#define IS_TRUE_16(condition) __builtin_convertvector(condition, int16)

// The nearest float is stepped by one where it lies on the wrong side of the exact value. One more
// in the bit pattern is one step away from zero and one less a step towards it, infinity included.
// A zero on the wrong side of a number has the other sign than the number or is compared equal to
// nothing that must be stepped: only a positive zero is stepped up, only a negative one down.
#define DIRECTED(N)                                                                                \
  BUILTIN float##N convert_float##N##_rte(double##N x) {                                           \
    return CONVERT(N, float, x);                                                                   \
  }                                                                                                \
  BUILTIN float##N convert_float##N(double##N x) {                                                 \
    return CONVERT(N, float, x);                                                                   \
  }                                                                                                \
  BUILTIN float##N convert_float##N##_rtz(double##N x) {                                           \
    float##N nearest = CONVERT(N, float, x);                                                       \
    double##N back = CONVERT(N, double, nearest);                                                  \
    int##N bits = REINTERPRET(N, int, nearest);                                                    \
    int##N too_large = IS_TRUE(N, __builtin_elementwise_abs(back) > __builtin_elementwise_abs(x)); \
    return REINTERPRET(N, float, too_large ? bits - (int##N)1 : bits);                             \
  }                                                                                                \
  BUILTIN float##N convert_float##N##_rtp(double##N x) {                                           \
    float##N nearest = CONVERT(N, float, x);                                                       \
    double##N back = CONVERT(N, double, nearest);                                                  \
    int##N bits = REINTERPRET(N, int, nearest);                                                    \
    int##N stepped = bits + ((bits >> (int##N)31) | (int##N)1);                                    \
    return REINTERPRET(N, float, IS_TRUE(N, back < x) ? stepped : bits);                           \
  }                                                                                                \
  BUILTIN float##N convert_float##N##_rtn(double##N x) {                                           \
    float##N nearest = CONVERT(N, float, x);                                                       \
    double##N back = CONVERT(N, double, nearest);                                                  \
    int##N bits = REINTERPRET(N, int, nearest);                                                    \
    int##N stepped = bits - ((bits >> (int##N)31) | (int##N)1);                                    \
    return REINTERPRET(N, float, IS_TRUE(N, back > x) ? stepped : bits);                           \
  }
DIRECTED()
DIRECTED(2)
DIRECTED(3)
DIRECTED(4)
DIRECTED(8)
DIRECTED(16)
