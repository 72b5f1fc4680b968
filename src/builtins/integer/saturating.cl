// abs_diff, add_sat, sub_sat and mad_sat (OpenCL C specification, integer functions).
#include "limits.h"
#include "wide.h"

#define SATURATING(N, T, S, U, BITS)                                                               \
  BUILTIN T##N add_sat(T##N x, T##N y) {                                                           \
    return __builtin_elementwise_add_sat(x, y);                                                    \
  }                                                                                                \
  BUILTIN T##N sub_sat(T##N x, T##N y) {                                                           \
    return __builtin_elementwise_sub_sat(x, y);                                                    \
  }                                                                                                \
  BUILTIN U##N abs_diff(T##N x, T##N y) {                                                          \
    U##N larger = REINTERPRET(N, U, __builtin_elementwise_max(x, y));                              \
    U##N smaller = REINTERPRET(N, U, __builtin_elementwise_min(x, y));                             \
    return larger - smaller;                                                                       \
  }
EACH_INTEGER(EACH_WIDTH, SATURATING)

// The product and sum of three numbers of B bits fit in 2 * B bits: (2^B - 1)^2 + 2^B - 1 < 2^(2 *
// B).
#define MAD_SAT(N, T, S, U, BITS)                                                                  \
  BUILTIN T##N mad_sat(T##N x, T##N y, T##N z) {                                                   \
    wide_##T##N sum = CONVERT(N, wide_##T, x) * CONVERT(N, wide_##T, y) + CONVERT(N, wide_##T, z); \
    sum = __builtin_elementwise_min(sum, (wide_##T##N)(wide_##T)HIGHEST_##T);                      \
    sum = __builtin_elementwise_max(sum, (wide_##T##N)(wide_##T)LOWEST_##T);                       \
    return CONVERT(N, T, sum);                                                                     \
  }
EACH_INTEGER(EACH_WIDTH, MAD_SAT)
