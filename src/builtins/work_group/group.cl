// The collective functions of work-groups (OpenCL C 3.0, 6.15.16).
#include "collective.h"

#define EACH_COLLECTIVE_TYPE(M) M(int) M(uint) M(long) M(ulong) M(float) M(double) M(half)

DECLARE_COLLECTIVE(group_uniform, int, int);

COMBINE(all) {
  int result = 1;
  EACH_TAKING_PART(i) result &= ((const private int*)operands)[i] != 0;
  *(private int*)results = result;
}
COMBINE(any) {
  int result = 0;
  EACH_TAKING_PART(i) result |= ((const private int*)operands)[i] != 0;
  *(private int*)results = result;
}
BUILTIN int work_group_all(int predicate) {
  return __quern_group_uniform_int_int(all, predicate);
}
BUILTIN int work_group_any(int predicate) {
  return __quern_group_uniform_int_int(any, predicate);
}

#define ARITHMETIC(OP, T)                                                                          \
  COMBINE_REDUCTION(OP##_##T, OP, T)                                                               \
  COMBINE_SCANS(OP##_##T, OP, T)                                                                   \
  BUILTIN T work_group_reduce_##OP(T x) {                                                          \
    return __quern_group_uniform_##T##_##T(OP##_##T##_reduce, x);                                  \
  }                                                                                                \
  BUILTIN T work_group_scan_inclusive_##OP(T x) {                                                  \
    return __quern_group_item_##T##_##T(OP##_##T##_scan_inclusive, x);                             \
  }                                                                                                \
  BUILTIN T work_group_scan_exclusive_##OP(T x) {                                                  \
    return __quern_group_item_##T##_##T(OP##_##T##_scan_exclusive, x);                             \
  }

// All work-items name the same one.
#define BROADCAST(T)                                                                               \
  COMBINE(broadcast_##T) {                                                                         \
    *(private T*)results = ((const private T*)operands)[*(const private ulong*)others];            \
  }                                                                                                \
  BUILTIN T work_group_broadcast(T x, size_t id) {                                                 \
    return __quern_group_uniform_##T##_##T##_ulong(broadcast_##T, x, id);                          \
  }                                                                                                \
  BUILTIN T work_group_broadcast(T x, size_t id0, size_t id1) {                                    \
    return __quern_group_uniform_##T##_##T##_ulong(broadcast_##T, x,                               \
                                                   id1 * get_local_size(0) + id0);                 \
  }                                                                                                \
  BUILTIN T work_group_broadcast(T x, size_t id0, size_t id1, size_t id2) {                        \
    return __quern_group_uniform_##T##_##T##_ulong(                                                \
        broadcast_##T, x, (id2 * get_local_size(1) + id1) * get_local_size(0) + id0);              \
  }

#define FUNCTIONS(T)                                                                               \
  DECLARE_COLLECTIVE(group_uniform, T, T);                                                         \
  DECLARE_COLLECTIVE(group_item, T, T);                                                            \
  DECLARE_COLLECTIVE_WITH(group_uniform, T, T, ulong);                                             \
  ARITHMETIC(add, T)                                                                               \
  ARITHMETIC(min, T)                                                                               \
  ARITHMETIC(max, T)                                                                               \
  ARITHMETIC(mul, T)                                                                               \
  BROADCAST(T)
EACH_COLLECTIVE_TYPE(FUNCTIONS)

// cl_khr_work_group_uniform_arithmetic
#define INTEGER_FUNCTIONS(T)                                                                       \
  ARITHMETIC(and, T)                                                                               \
  ARITHMETIC(or, T)                                                                                \
  ARITHMETIC(xor, T)
INTEGER_FUNCTIONS(int)
INTEGER_FUNCTIONS(uint)
INTEGER_FUNCTIONS(long)
INTEGER_FUNCTIONS(ulong)
ARITHMETIC(logical_and, int)
ARITHMETIC(logical_or, int)
ARITHMETIC(logical_xor, int)
