// log, log2 and log10 of float.
#ifndef WIDTH
#include "each_width.h"
#else

#include "logarithm_of_parts.h"

static inline BUILTIN Float split_number(Float x, private Float* exponent) {
  Int is_subnormal = x < 0x1p-126f;
  Float f = split_normal(is_subnormal ? x * 0x1p25f : x, exponent);
  *exponent -= is_subnormal ? (Float)25.0f : (Float)0.0f;
  return f;
}

// The results for which no logarithm is computed: infinity and NaN for themselves, of zero and of
// negative numbers.
static inline BUILTIN Float finite_logarithm(Float x, Float result) {
  result = x < INFINITY ? result : x;
  result = x < 0.0f ? (Float)NAN : result;
  return x == 0.0f ? (Float)-INFINITY : result;
}

BUILTIN Float log(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  return finite_logarithm(x, logarithm_of_parts(f, exponent, -0.0f));
}

BUILTIN Float log2(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  return finite_logarithm(x, log2_of_parts(f, exponent));
}

BUILTIN Float log10(Float x) {
private
  Float exponent;
  Float f = split_number(x, &exponent);
  return finite_logarithm(x, log10_of_parts(f, exponent));
}

#undef ROOT_OF_HALF_float
#endif
