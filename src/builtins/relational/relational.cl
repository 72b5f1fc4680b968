// Comparisons and tests of floating-point numbers. A scalar form returns 1 for true, a vector form
// -1, which is what the operators of the language return as well.
#include "floating.h"

// The result of the scalar forms is an int for double too.
#define RESULT_(S) int
#define RESULT_2(S) S##2
#define RESULT_3(S) S##3
#define RESULT_4(S) S##4
#define RESULT_8(S) S##8
#define RESULT_16(S) S##16
#define RESULT(N, S) RESULT_##N(S)

#define COMPARISON(N, T, S, U, BITS)                                                               \
  BUILTIN RESULT(N, S) isequal(T##N x, T##N y) {                                                   \
    return x == y;                                                                                 \
  }                                                                                                \
  BUILTIN RESULT(N, S) isnotequal(T##N x, T##N y) {                                                \
    return x != y;                                                                                 \
  }                                                                                                \
  BUILTIN RESULT(N, S) isgreater(T##N x, T##N y) {                                                 \
    return x > y;                                                                                  \
  }                                                                                                \
  BUILTIN RESULT(N, S) isgreaterequal(T##N x, T##N y) {                                            \
    return x >= y;                                                                                 \
  }                                                                                                \
  BUILTIN RESULT(N, S) isless(T##N x, T##N y) {                                                    \
    return x < y;                                                                                  \
  }                                                                                                \
  BUILTIN RESULT(N, S) islessequal(T##N x, T##N y) {                                               \
    return x <= y;                                                                                 \
  }                                                                                                \
  BUILTIN RESULT(N, S) islessgreater(T##N x, T##N y) {                                             \
    return x < y || x > y;                                                                         \
  }                                                                                                \
  BUILTIN RESULT(N, S) isordered(T##N x, T##N y) {                                                 \
    return x == x && y == y;                                                                       \
  }                                                                                                \
  BUILTIN RESULT(N, S) isunordered(T##N x, T##N y) {                                               \
    return x != x || y != y;                                                                       \
  }
EACH_FLOATING_AND_HALF(EACH_WIDTH, COMPARISON)

#define TEST(N, T, S, U, BITS)                                                                     \
  BUILTIN RESULT(N, S) isnan(T##N x) {                                                             \
    return x != x;                                                                                 \
  }                                                                                                \
  BUILTIN RESULT(N, S) isinf(T##N x) {                                                             \
    return __builtin_elementwise_abs(x) == (T##N)INFINITY;                                         \
  }                                                                                                \
  BUILTIN RESULT(N, S) isfinite(T##N x) {                                                          \
    return __builtin_elementwise_abs(x) < (T##N)INFINITY;                                          \
  }                                                                                                \
  BUILTIN RESULT(N, S) isnormal(T##N x) {                                                          \
    T##N magnitude = __builtin_elementwise_abs(x);                                                 \
    return magnitude >= (T##N)LEAST_NORMAL_##T && magnitude < (T##N)INFINITY;                      \
  }                                                                                                \
  BUILTIN RESULT(N, S) signbit(T##N x) {                                                           \
    return REINTERPRET(N, S, x) < (S##N)0;                                                         \
  }
EACH_FLOATING_AND_HALF(EACH_WIDTH, TEST)
