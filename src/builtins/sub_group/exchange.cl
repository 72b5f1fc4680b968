// Values of other work-items of the sub-group: broadcasts (cl_khr_subgroups,
// cl_khr_subgroup_extended_types, cl_khr_subgroup_ballot), shuffles (cl_khr_subgroup_shuffle,
// cl_khr_subgroup_shuffle_relative) and rotations (cl_khr_subgroup_rotate).
#include "collective.h"

// The specification leaves it undefined what an index gives that no work-item has. It is taken
// modulo the size of a full sub-group, as GPUs do and programs for them rely on: the compiler does
// that (work_items/sub_group_forms.cpp). Where the sub-group has fewer work-items it gives the own
// value, and so do shuffles relative to the own place.
#define PICK(N, T, ...)                                                                            \
  DECLARE_COLLECTIVE_WITH(sub_group, T##N, T##N, uint);                                            \
  COMBINE(pick_##T##N) {                                                                           \
    EACH_TAKING_PART(i) {                                                                          \
      uint from = ((const private uint*)others)[i];                                                \
      ((private T##N*)results)[i] = ((const private T##N*)operands)[from < count ? from : i];      \
    }                                                                                              \
  }                                                                                                \
  BUILTIN T##N sub_group_broadcast(T##N x, uint index) {                                           \
    return __quern_sub_group_##T##N##_##T##N##_uint(pick_##T##N, x, index);                        \
  }                                                                                                \
  BUILTIN T##N sub_group_non_uniform_broadcast(T##N x, uint index) {                               \
    return __quern_sub_group_##T##N##_##T##N##_uint(pick_##T##N, x, index);                        \
  }
EACH_TYPE(EACH_WIDTH, PICK)

#define SHUFFLES(N, T, ...)                                                                        \
  BUILTIN T sub_group_shuffle(T x, uint index) {                                                   \
    return sub_group_broadcast(x, index);                                                          \
  }                                                                                                \
  BUILTIN T sub_group_shuffle_xor(T x, uint mask) {                                                \
    return sub_group_broadcast(x, get_sub_group_local_id() ^ mask);                                \
  }                                                                                                \
  BUILTIN T sub_group_shuffle_up(T x, uint delta) {                                                \
    const uint id = get_sub_group_local_id();                                                      \
    return sub_group_broadcast(x, delta <= id ? id - delta : id);                                  \
  }                                                                                                \
  BUILTIN T sub_group_shuffle_down(T x, uint delta) {                                              \
    const uint id = get_sub_group_local_id();                                                      \
    return sub_group_broadcast(x, delta < get_max_sub_group_size() - id ? id + delta : id);        \
  }                                                                                                \
  BUILTIN T sub_group_clustered_rotate(T x, int delta, uint size) {                                \
    uint id = get_sub_group_local_id();                                                            \
    uint mask = size - 1; /* a power of two */                                                     \
    return sub_group_broadcast(x, (id & ~mask) + ((id + delta) & mask));                           \
  }                                                                                                \
  BUILTIN T sub_group_rotate(T x, int delta) {                                                     \
    /* Not always a power of two: a small work-group is one sub-group. */                          \
    int size = get_max_sub_group_size();                                                           \
    int index = (int)(get_sub_group_local_id() + delta % size) % size;                             \
    return sub_group_broadcast(x, index < 0 ? index + size : index);                               \
  }                                                                                                \
  DECLARE_COLLECTIVE(sub_group, T, T);                                                             \
  COMBINE(first_##T) {                                                                             \
    ulong first = 0;                                                                               \
    while (first < count && !TAKES_PART(first))                                                    \
      ++first;                                                                                     \
    EACH_TAKING_PART(i)((private T*)results)[i] = ((const private T*)operands)[first];             \
  }                                                                                                \
  BUILTIN T sub_group_broadcast_first(T x) {                                                       \
    return __quern_sub_group_##T##_##T(first_##T, x);                                              \
  }
EACH_TYPE(SCALAR_ONLY, SHUFFLES)
