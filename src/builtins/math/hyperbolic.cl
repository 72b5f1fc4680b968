// tanh of float.
#ifndef WIDTH
#include "each_width.h"
#else

BUILTIN Float exp(Float x);

// A polynomial where the result is small, with an error below 2^-25 of it; beyond, what is
// subtracted from 1 is small enough for the errors of exp.
BUILTIN Float tanh(Float x) {
  Float magnitude = __builtin_elementwise_abs(x), square = x * x;
  Float curve = (-6.096714176e-3f * square + 2.099717967e-2f) * square - 5.385090783e-2f;
  curve = (curve * square + 0.1333276927f) * square - 0.3333332837f;
  Float small = curve * square * magnitude + magnitude;
  Float large = 1.0f - 2.0f / (exp(magnitude + magnitude) + 1.0f);
  Float result = magnitude < 0.625f ? small : large;
  return number_of(bits_of(result) | (bits_of(x) & INT_MIN));
}
#endif
