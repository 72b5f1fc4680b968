// rsqrt of double for processors with AVX-512, whose estimate the compiler takes for a quotient by a
// root that needs not be exact.
#ifndef WIDTH
#include "each_width.h"
#else

BUILTIN Double __avx512_rsqrt(Double x) {
#pragma clang fp reciprocal(on)
  return 1.0 / __builtin_elementwise_sqrt(x);
}
#endif
