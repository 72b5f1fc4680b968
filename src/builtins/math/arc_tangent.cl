// atan, atan2, atanpi and atan2pi of float and double: the angle of the smaller magnitude to the
// larger, less an eighth of a turn where that brings it closer to 0, and then the angle in the
// octant of x and y.
#ifndef WIDTH
#include "each_width.h"
#else

// atan(x) for |x| up to tan(pi / 8); the errors are below 2^-30 and 2^-54.
static inline BUILTIN Float small_atan(Float x) {
  Float square = x * x;
  Float curve = (-6.083376706e-2f * square + 0.1059597284f) * square - 0.1424384564f;
  curve = (curve * square + 0.1999848932f) * square - 0.3333331645f;
  return x + x * (curve * square);
}
static inline BUILTIN Double small_atan(Double x) {
  Double square = x * x;
  Double curve = 2.1279691062518206e-2 * square - 4.3607892440600586e-2;
  curve = (curve * square + 5.6931525655096439e-2) * square - 6.6412439702599635e-2;
  curve = (curve * square + 7.6900831009791615e-2) * square - 9.0907835113198068e-2;
  curve = (curve * square + 0.11111106702848657) * square - 0.14285714196510188;
  curve = (curve * square + 0.1999999999910447) * square - 0.33333333333330217;
  return x + x * (curve * square);
}

// In units of which a quarter of a turn has QUARTER_TURN. In atan2 numbers are scaled such that
// their sum is finite and the comparison one of normal numbers; the larger must not be 0, and two
// infinities are equal.
#define ARC_TANGENT(Number, Integer, atan, atan2, UNIT, QUARTER_TURN, LEAST, UP, LARGEST)          \
  static inline BUILTIN Number angle_of_##atan(Number smaller, Number larger, Integer is_steep) {  \
    Integer is_wide = smaller > larger * (Number)0x1.a8279ap-2;                                    \
    Number above = is_wide ? smaller - larger : smaller;                                           \
    Number angle = small_atan(above / (is_wide ? smaller + larger : larger)) * (Number)(UNIT);     \
    angle = is_wide ? (Number)((QUARTER_TURN) / 2) + angle : angle;                                \
    return is_steep ? (Number)(QUARTER_TURN)-angle : angle;                                        \
  }                                                                                                \
  BUILTIN Number atan(Number x) {                                                                  \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Integer is_steep = magnitude > 1;                                                              \
    Number angle = angle_of_##atan(is_steep ? (Number)1 : magnitude,                               \
                                   is_steep ? magnitude : (Number)1, is_steep);                    \
    return __builtin_elementwise_copysign(angle, x);                                               \
  }                                                                                                \
  BUILTIN Number atan2(Number y, Number x) {                                                       \
    Number width = __builtin_elementwise_abs(x), height = __builtin_elementwise_abs(y);            \
    Integer is_steep = height > width;                                                             \
    Number larger = is_steep ? height : width, smaller = is_steep ? width : height;                \
    Number scale = larger < LEAST ? (Number)UP : (Number)1;                                        \
    scale = larger > LARGEST ? (Number)0.25 : scale;                                               \
    Integer is_infinite = larger == INFINITY;                                                      \
    smaller = is_infinite ? (smaller == larger ? (Number)1 : (Number)0) : smaller * scale;         \
    larger = (is_infinite || larger == 0) ? (Number)1 : larger * scale;                            \
    Number angle = angle_of_##atan(smaller, larger, is_steep);                                     \
    angle = bits_of(x) < 0 ? (Number)(2 * (QUARTER_TURN)) - angle : angle;                         \
    angle = __builtin_elementwise_copysign(angle, y);                                              \
    return (x != x || y != y) ? x + y : angle;                                                     \
  }
ARC_TANGENT(Float, Int, atan, atan2, 1, 0x1.921fb54442d18p+0, 0x1p-100f, 0x1p60f, 0x1p120f)
ARC_TANGENT(Double, Long, atan, atan2, 1, 0x1.921fb54442d18p+0, 0x1p-900, 0x1p100, 0x1p1000)
ARC_TANGENT(Float, Int, atanpi, atan2pi, 0x1.45f306p-2f, 0.5, 0x1p-100f, 0x1p60f, 0x1p120f)
ARC_TANGENT(Double, Long, atanpi, atan2pi, 0x1.45f306dc9c883p-2, 0.5, 0x1p-900, 0x1p100, 0x1p1000)
#undef ARC_TANGENT
#endif
