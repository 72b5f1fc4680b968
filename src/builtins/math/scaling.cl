// value * 2^exponent, in two steps: the first product is exact, the second rounds a subnormal result
// once. The compiler puts an instruction in its place where the processor has one.
#ifndef WIDTH
#include "each_width.h"
#else

#include "scaling.h"

BUILTIN_OUT_OF_LINE Float __quern_scaled(Float value, Int exponent) {
  Int half_exponent = exponent >> 1;
  return value * number_of((half_exponent + 127) << 23) *
         number_of((exponent - half_exponent + 127) << 23);
}

BUILTIN_OUT_OF_LINE Double __quern_scaled(Double value, Long exponent) {
  Long half_exponent = exponent >> 1;
  return value * number_of((half_exponent + 1023) << 52) *
         number_of((exponent - half_exponent + 1023) << 52);
}

#endif
