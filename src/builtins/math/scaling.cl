// value * 2^exponent, in two steps: the first product is exact, the second rounds a subnormal result
// once. The compiler puts an instruction in its place where the processor has one.
#ifndef WIDTH
#include "each_width.h"
#else

#include "scaling.h"

// Adding this number leaves an integer in the low bits of the sum.
#define ROUNDER_float 0x1.8p23f
#define ROUNDER_double 0x1.8p52

BUILTIN_OUT_OF_LINE Float __quern_scaled(Float value, Float number) {
  Int exponent = bits_of(number + ROUNDER_float) - bits_of((Float)ROUNDER_float);
  Int half_exponent = exponent >> 1;
  return value * number_of((half_exponent + 127) << 23) *
         number_of((exponent - half_exponent + 127) << 23);
}

BUILTIN_OUT_OF_LINE Double __quern_scaled(Double value, Double number) {
  Long exponent = bits_of(number + ROUNDER_double) - bits_of((Double)ROUNDER_double);
  Long half_exponent = exponent >> 1;
  return value * number_of((half_exponent + 1023) << 52) *
         number_of((exponent - half_exponent + 1023) << 52);
}

#undef ROUNDER_float
#undef ROUNDER_double
#endif
