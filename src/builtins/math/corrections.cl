// Functions of libclc with wrong results for some arguments, corrected. The corrected function is
// declared under its prefixed name.
#include "floating.h"

// libclc's functions of double lose the sign of zero.
#define ODD(N, T, NAME)                                                                            \
  BUILTIN_OUT_OF_LINE T##N libclc_##NAME(T##N x);                                                  \
  BUILTIN T##N NAME(T##N x) {                                                                      \
    return x == (T##N)0 ? x : libclc_##NAME(x);                                                    \
  }
#define ODD_FUNCTIONS(N, T, S, U, BITS)                                                            \
  ODD(N, T, asin)                                                                                  \
  ODD(N, T, asinpi) ODD(N, T, atanpi)
EACH_FLOATING(EACH_WIDTH, ODD_FUNCTIONS)
