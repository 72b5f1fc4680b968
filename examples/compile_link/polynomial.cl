// The library: a polynomial by Horner's rule.

#include "polynomial.h"

float polynomial(global const float* coefficients, int degree, float x) {
  float value = coefficients[degree];
  for (int i = degree - 1; i >= 0; --i)
    value = value * x + coefficients[i];
  return value;
}
