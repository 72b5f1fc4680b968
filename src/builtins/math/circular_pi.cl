// sinpi, cospi and tanpi of float and double. Turns are taken away exactly, however large the
// argument, and leave numbers for which one polynomial is enough. Infinity less itself is NaN.
#ifndef WIDTH
#include "each_width.h"
#else

// sin(pi * x) for |x| up to 1/2, as 2 * x, which is exact, and a small rest; the errors of the
// polynomials are below 2^-25 and 2^-55. Of +-1/2, as in the cosine of 0, it is +-1 and nothing less.
static inline BUILTIN Float sine_of_half_turn(Float x) {
  Float square = x * x;
  Float curve = (7.767598331e-2f * square - 0.5983080864f) * square + 2.550082207f;
  curve = (curve * square - 5.167710781f) * square + 1.141592622f;
  return __builtin_elementwise_abs(x) == 0.5f ? x + x : x + x + x * curve;
}
static inline BUILTIN Double sine_of_half_turn(Double x) {
  Double square = x * x;
  Double curve = 7.6966953977552648e-7 * square - 2.1903396575523163e-5;
  curve = (curve * square + 4.6629978214524927e-4) * square - 7.3704305006913684e-3;
  curve = (curve * square + 8.2145886572827981e-2) * square - 0.59926452931896113;
  curve = (curve * square + 2.5501640398773029) * square - 5.1677127800499694;
  return x + x + x * (curve * square + 1.1415926535897933);
}

// sin(pi * x) and cos(pi * x) for |x| up to 1/4; the errors are below 2^-25 and 2^-54.
static inline BUILTIN Float sine_of_quarter_turn(Float x) {
  Float square = x * x;
  Float curve = (-0.5894187689f * square + 2.549805164f) * square - 5.167708874f;
  curve = curve * square + 1.141592622f;
  return x + x + x * curve;
}
static inline BUILTIN Float cosine_of_quarter_turn(Float x) {
  Float square = x * x;
  Float curve = (0.2314295471f * square - 1.335058451f) * square + 4.058707714f;
  return (curve * square - 4.934802055f) * square + 1.0f;
}
static inline BUILTIN Double sine_of_quarter_turn(Double x) {
  Double square = x * x;
  Double curve = 4.615752290706752e-4 * square - 7.3700306466534527e-3;
  curve = (curve * square + 8.2145869910412052e-2) * square - 0.59926452896801774;
  curve = (curve * square + 2.5501640398739136) * square - 5.1677127800499587;
  return x + x + x * (curve * square + 1.1415926535897933);
}
static inline BUILTIN Double cosine_of_quarter_turn(Double x) {
  Double square = x * x;
  Double curve = 1.9070991546667343e-3 * square - 2.5804997034067356e-2;
  curve = (curve * square + 0.23533055174619863) * square - 1.3352627672047204;
  curve = (curve * square + 4.0587121264008461) * square - 4.9348022005446284;
  return curve * square + 1.0;
}

// From here on the functions of float and double differ in their types alone. sinpi of an integer
// is a zero with the integer's sign: adding zero makes every zero positive before it gets the sign.
// tanpi changes the sign of a zero for an odd integer, and its infinities get theirs from the rest.
#define CIRCULAR_PI(Number, Integer, SIGN)                                                         \
  static inline BUILTIN Number without_turns(Number magnitude) {                                   \
    return magnitude - 2 * __builtin_elementwise_roundeven(magnitude * (Number)0.5);               \
  }                                                                                                \
  BUILTIN Number sinpi(Number x) {                                                                 \
    Number rest = without_turns(__builtin_elementwise_abs(x));                                     \
    Number size = __builtin_elementwise_abs(rest), opposite = 1 - size;                            \
    Number sine = sine_of_half_turn(size < opposite ? size : opposite);                            \
    Number result = number_of(bits_of(sine) | (bits_of(rest) & SIGN)) + 0;                         \
    return number_of(bits_of(result) ^ (bits_of(x) & SIGN));                                       \
  }                                                                                                \
  BUILTIN Number cospi(Number x) {                                                                 \
    Number rest = without_turns(__builtin_elementwise_abs(x));                                     \
    return sine_of_half_turn((Number)0.5 - __builtin_elementwise_abs(rest));                       \
  }                                                                                                \
  BUILTIN Number tanpi(Number x) {                                                                 \
    Number magnitude = __builtin_elementwise_abs(x);                                               \
    Number rest = magnitude - __builtin_elementwise_roundeven(magnitude);                          \
    Number size = __builtin_elementwise_abs(rest), opposite = (Number)0.5 - size;                  \
    Integer is_beyond = opposite < size;                                                           \
    Number small = is_beyond ? opposite : size;                                                    \
    Number sine = sine_of_quarter_turn(small), cosine = cosine_of_quarter_turn(small);             \
    Number result = (is_beyond ? cosine : sine) / (is_beyond ? sine : cosine);                     \
    Number zero = 0 - __builtin_elementwise_abs(without_turns(magnitude));                         \
    Integer sign = bits_of(rest == 0 ? zero : rest) ^ bits_of(x);                                  \
    return number_of(bits_of(result) ^ (sign & SIGN));                                             \
  }
CIRCULAR_PI(Float, Int, INT_MIN)
CIRCULAR_PI(Double, Long, LONG_MIN)
#undef CIRCULAR_PI
#endif
