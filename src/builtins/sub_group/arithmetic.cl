// Reductions and scans of sub-groups: those that all work-items call (cl_khr_subgroups, and
// cl_khr_subgroup_extended_types for the small types) and those of the work-items that are there
// (cl_khr_subgroup_non_uniform_arithmetic). Both leave out those that are not.
#include "collective.h"

#define ARITHMETIC(OP, T)                                                                          \
  COMBINE_REDUCTIONS(OP##_##T, OP, T)                                                              \
  COMBINE_SCANS(OP##_##T, OP, T)                                                                   \
  BUILTIN T sub_group_non_uniform_reduce_##OP(T x) {                                               \
    return __quern_sub_group_##T##_##T(OP##_##T##_reduce, x);                                      \
  }                                                                                                \
  BUILTIN T sub_group_non_uniform_scan_inclusive_##OP(T x) {                                       \
    return __quern_sub_group_##T##_##T(OP##_##T##_scan_inclusive, x);                              \
  }                                                                                                \
  BUILTIN T sub_group_non_uniform_scan_exclusive_##OP(T x) {                                       \
    return __quern_sub_group_##T##_##T(OP##_##T##_scan_exclusive, x);                              \
  }
#define UNIFORM_ARITHMETIC(OP, T)                                                                  \
  ARITHMETIC(OP, T)                                                                                \
  BUILTIN T sub_group_reduce_##OP(T x) {                                                           \
    return sub_group_non_uniform_reduce_##OP(x);                                                   \
  }                                                                                                \
  BUILTIN T sub_group_scan_inclusive_##OP(T x) {                                                   \
    return sub_group_non_uniform_scan_inclusive_##OP(x);                                           \
  }                                                                                                \
  BUILTIN T sub_group_scan_exclusive_##OP(T x) {                                                   \
    return sub_group_non_uniform_scan_exclusive_##OP(x);                                           \
  }

#define EVERY_TYPE(N, T, S, U, BITS)                                                               \
  DECLARE_COLLECTIVE(sub_group, T, T);                                                             \
  UNIFORM_ARITHMETIC(add, T)                                                                       \
  UNIFORM_ARITHMETIC(min, T)                                                                       \
  UNIFORM_ARITHMETIC(max, T)                                                                       \
  ARITHMETIC(mul, T)
EACH_TYPE(SCALAR_ONLY, EVERY_TYPE)

#define INTEGERS(N, T, S, U, BITS)                                                                 \
  ARITHMETIC(and, T)                                                                               \
  ARITHMETIC(or, T)                                                                                \
  ARITHMETIC(xor, T)
EACH_INTEGER(SCALAR_ONLY, INTEGERS)

ARITHMETIC(logical_and, int)
ARITHMETIC(logical_or, int)
ARITHMETIC(logical_xor, int)
