// hypot of float and double. Where a square would be infinite or lose digits, the numbers are
// scaled by a power of two. An infinity decides even against NaN.
#ifndef WIDTH
#include "each_width.h"
#else

#define HYPOTENUSE(Number, Integer, LARGE, DOWN, BACK_UP, SMALL, UP, BACK_DOWN)                    \
  BUILTIN Number hypot(Number x, Number y) {                                                       \
    Number larger = __builtin_elementwise_abs(x), other = __builtin_elementwise_abs(y);            \
    Integer is_infinite = larger == INFINITY || other == INFINITY;                                 \
    larger = larger > other ? larger : other;                                                      \
    Integer is_large = larger > LARGE, is_small = larger < SMALL;                                  \
    Number scale = is_large ? (Number)DOWN : is_small ? (Number)UP : (Number)1;                    \
    Number back = is_large ? (Number)BACK_UP : is_small ? (Number)BACK_DOWN : (Number)1;           \
    x *= scale;                                                                                    \
    y *= scale;                                                                                    \
    Number result = __builtin_elementwise_sqrt(x * x + y * y) * back;                              \
    return is_infinite ? (Number)INFINITY : result;                                                \
  }
HYPOTENUSE(Float, Int, 0x1p60f, 0x1p-70f, 0x1p70f, 0x1p-40f, 0x1p86f, 0x1p-86f)
HYPOTENUSE(Double, Long, 0x1p500, 0x1p-600, 0x1p600, 0x1p-400, 0x1p600, 0x1p-600)
#undef HYPOTENUSE
#endif
