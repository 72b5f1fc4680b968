// nextafter, on the bit pattern: for one sign, consecutive numbers have consecutive patterns.
#include "floating.h"

#define NEXTAFTER(N, T, S, U, BITS)                                                                \
  BUILTIN T##N nextafter(T##N x, T##N y) {                                                         \
    S##N bits = REINTERPRET(N, S, x);                                                              \
    S##N sign = REINTERPRET(N, S, y) & (S##N)SIGN_BIT_##T;                                         \
    S##N away_from_zero = (x < y) == (x > (T##N)0);                                                \
    S##N stepped = away_from_zero ? bits + (S##N)1 : bits - (S##N)1;                               \
    stepped = x == (T##N)0 ? sign | (S##N)1 : stepped;                                             \
    T##N result = x == y ? y : REINTERPRET(N, T, stepped);                                         \
    return (x != x || y != y) ? x + y : result;                                                    \
  }
EACH_FLOATING_AND_HALF(EACH_WIDTH, NEXTAFTER)
