// Votes: of all work-items of a sub-group (cl_khr_subgroups) and of those that are there
// (cl_khr_subgroup_non_uniform_vote).
#include "collective.h"

DECLARE_COLLECTIVE(sub_group, int, int);

COMBINE(all_of) {
  int result = 1;
  EACH_TAKING_PART(i) result &= ((const private int*)operands)[i] != 0;
  EACH_TAKING_PART(i)((private int*)results)[i] = result;
}
COMBINE(any_of) {
  int result = 0;
  EACH_TAKING_PART(i) result |= ((const private int*)operands)[i] != 0;
  EACH_TAKING_PART(i)((private int*)results)[i] = result;
}
COMBINE(first_of) {
  int elected = 1;
  EACH_TAKING_PART(i) {
    ((private int*)results)[i] = elected;
    elected = 0;
  }
}

BUILTIN int sub_group_non_uniform_all(int predicate) {
  return __quern_sub_group_int_int(all_of, predicate);
}
BUILTIN int sub_group_non_uniform_any(int predicate) {
  return __quern_sub_group_int_int(any_of, predicate);
}
BUILTIN int sub_group_all(int predicate) {
  return sub_group_non_uniform_all(predicate);
}
BUILTIN int sub_group_any(int predicate) {
  return sub_group_non_uniform_any(predicate);
}
BUILTIN int sub_group_elect(void) {
  return __quern_sub_group_int_int(first_of, 0);
}

#define ALL_EQUAL(N, T, ...)                                                                       \
  int __quern_sub_group_equal_##T(Combine, T);                                                     \
  COMBINE(equal_##T) {                                                                             \
    ulong first = 0;                                                                               \
    while (first < count && !TAKES_PART(first))                                                    \
      ++first;                                                                                     \
    int result = 1;                                                                                \
    EACH_TAKING_PART(i)                                                                            \
    result &= ((const private T*)operands)[i] == ((const private T*)operands)[first];              \
    EACH_TAKING_PART(i)((private int*)results)[i] = result;                                        \
  }                                                                                                \
  BUILTIN int sub_group_non_uniform_all_equal(T x) {                                               \
    return __quern_sub_group_equal_##T(equal_##T, x);                                              \
  }
EACH_TYPE(SCALAR_ONLY, ALL_EQUAL)
