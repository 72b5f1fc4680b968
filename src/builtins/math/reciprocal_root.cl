// rsqrt of double. Half of the bits of x, as an integer, gives a first guess that is right to 1/29;
// with h = 1 - x * guess^2 the result is guess * (1 - h)^(-1/2), a polynomial in h. The error of
// the first step is below 2^-19, that of the second below 2^-57.
#ifndef WIDTH
#include "each_width.h"
#else

static inline BUILTIN Double rsqrt_of_normal(Double x) {
  Double guess = number_of(0x5fe6e8ead65c6508l - (bits_of(x) >> 1));
  Double h = 1.0 - x * guess * guess;
  Double curve = (0.31412357269582009 * h + 0.37605533795854595) * h + 0.49999778799861949;
  guess += guess * (h * curve);
  h = 1.0 - x * guess * guess;
  return guess + guess * (h * (0.375 * h + 0.5));
}

BUILTIN Double rsqrt(Double x) {
  Long is_subnormal = x < 0x1p-1022;
  Double result = rsqrt_of_normal(is_subnormal ? x * 0x1p54 : x);
  result = is_subnormal ? result * 0x1p27 : result;
  // Zero, infinity and NaN have bits that give the result when they are taken from infinity's.
  Double special = number_of(0x7ff0000000000000l - bits_of(x));
  result = (x > 0.0 && x < INFINITY) ? result : special;
  return x < 0.0 ? (Double)NAN : result;
}
#endif
