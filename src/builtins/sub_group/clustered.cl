// Reductions of clusters: equal parts of a sub-group (cl_khr_subgroup_clustered_reduce).
#include "collective.h"

#define REDUCE(OP, T)                                                                              \
  COMBINE(OP##_##T) {                                                                              \
    EACH_TAKING_PART(i) {                                                                          \
      ulong size = max(((const private uint*)others)[i], 1u);                                      \
      ulong begin = i / size * size;                                                               \
      ulong end = min(begin + size, count);                                                        \
      T total = IDENTITY_##OP(T);                                                                  \
      for (ulong k = begin; k < end; ++k)                                                          \
        if (TAKES_PART(k))                                                                         \
          total = OPERATION_##OP(total, ((const private T*)operands)[k]);                          \
      ((private T*)results)[i] = total;                                                            \
    }                                                                                              \
  }                                                                                                \
  BUILTIN T sub_group_clustered_reduce_##OP(T x, uint size) {                                      \
    return __quern_sub_group_##T##_##T##_uint(OP##_##T, x, size);                                  \
  }

#define EVERY_TYPE(N, T, S, U, BITS)                                                               \
  DECLARE_COLLECTIVE_WITH(sub_group, T, T, uint);                                                  \
  REDUCE(add, T)                                                                                   \
  REDUCE(mul, T)                                                                                   \
  REDUCE(min, T)                                                                                   \
  REDUCE(max, T)
EACH_TYPE(SCALAR_ONLY, EVERY_TYPE)

#define INTEGERS(N, T, S, U, BITS)                                                                 \
  REDUCE(and, T)                                                                                   \
  REDUCE(or, T)                                                                                    \
  REDUCE(xor, T)
EACH_INTEGER(SCALAR_ONLY, INTEGERS)

REDUCE(logical_and, int)
REDUCE(logical_or, int)
REDUCE(logical_xor, int)
