// The program: a table of the polynomial's values at STEP, 2 STEP, 3 STEP, ... STEP comes with the
// compile options.

#include "polynomial.h"

kernel void tabulate(global const float* coefficients, int degree, global float* table) {
  size_t i = get_global_id(0);
  table[i] = polynomial(coefficients, degree, (i + 1) * STEP);
}
