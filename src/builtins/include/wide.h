// Integer types twice as wide as each integer type, for products that need all their bits:
// wide_char4, wide_ulong, ...
#pragma once

#include "types.h"

typedef short wide_char;
typedef ushort wide_uchar;
typedef int wide_short;
typedef uint wide_ushort;
typedef long wide_int;
typedef ulong wide_uint;
typedef _BitInt(128) wide_long;
typedef unsigned _BitInt(128) wide_ulong;

#define WIDE_VECTOR(N, T, S, U, BITS)                                                              \
  typedef wide_##T wide_##T##N __attribute__((ext_vector_type(N)));
EACH_INTEGER(EACH_VECTOR, WIDE_VECTOR)
#undef WIDE_VECTOR
