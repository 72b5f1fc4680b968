// The layout of float, double and half, by the type's name, and comparisons that work for scalars
// and vectors alike.
#pragma once

#include "types.h"

// Bits of the stored fraction, bias of the stored exponent, the stored exponent of infinity.
#define FRACTION_BITS_float 23
#define FRACTION_BITS_double 52
#define BIAS_float 127
#define BIAS_double 1023
#define MAX_EXPONENT_float 255
#define MAX_EXPONENT_double 2047

#define INFINITY_BITS_float 0x7f800000
#define INFINITY_BITS_double 0x7ff0000000000000
#define SIGN_BIT_float 0x80000000u
#define SIGN_BIT_double 0x8000000000000000ul
#define SIGN_BIT_half 0x8000
#define LEAST_NORMAL_float 0x1p-126f
#define LEAST_NORMAL_double 0x1p-1022
#define LEAST_NORMAL_half 0x1p-14f
#define QUIET_NAN_float 0x7fc00000
#define QUIET_NAN_double 0x7ff8000000000000
#define QUIET_NAN_half 0x7e00

// Multiplies a subnormal number into the normal range; the power of two, as a number and as its
// exponent.
#define NORMALIZER_float 0x1p64f
#define NORMALIZER_double 0x1p64
#define NORMALIZER_EXPONENT 64

// A space to put results in, for each address space that has its own overload of a function.
#define EACH_SPACE(M, ...)                                                                         \
  M(private, __VA_ARGS__) M(global, __VA_ARGS__) M(local, __VA_ARGS__) M(generic, __VA_ARGS__)
