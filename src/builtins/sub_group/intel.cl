// cl_intel_subgroups, with what cl_intel_subgroups_char, _short and _long add to it, and
// cl_intel_subgroup_local_block_io: shuffles of one and of two values, and blocks of memory that a
// sub-group reads and writes together.
#include "types.h"

#define EACH_SMALL_INTEGER(M)                                                                      \
  M(char)                                                                                          \
  M(uchar)                                                                                         \
  M(short)                                                                                         \
  M(ushort)

// Short vectors go element by element, so that each is one permutation where sub-groups are
// packets. Longer ones would be too many functions at which work-items meet.
#define SHORT_VECTORS(M, T, ...)                                                                   \
  M(T, 2, x, y, __VA_ARGS__)                                                                       \
  M(T, 3, xy, z, __VA_ARGS__)                                                                      \
  M(T, 4, lo, hi, __VA_ARGS__)

#define WITH_ONE(T, N, LOW, HIGH, NAME)                                                            \
  BUILTIN T##N NAME(T##N x, uint place) {                                                          \
    return (T##N)(NAME(x.LOW, place), NAME(x.HIGH, place));                                        \
  }
#define WITH_TWO(T, N, LOW, HIGH, NAME)                                                            \
  BUILTIN T##N NAME(T##N first, T##N second, uint delta) {                                         \
    return (T##N)(NAME(first.LOW, second.LOW, delta), NAME(first.HIGH, second.HIGH, delta));       \
  }

// Where two values are given they lie side by side, and the result is the one that is `delta`
// places further on than that of the work-item itself: of the first for `down`, of the second,
// towards the first, for `up`.
#define SHUFFLES(T)                                                                                \
  static inline BUILTIN T beside(T first, T second, uint place) {                                  \
    const uint size = get_max_sub_group_size();                                                    \
    const T in_first = sub_group_broadcast(first, place);                                          \
    const T in_second = sub_group_broadcast(second, place - size);                                 \
    return place < size ? in_first : in_second;                                                    \
  }                                                                                                \
  BUILTIN T intel_sub_group_shuffle(T x, uint place) {                                             \
    return sub_group_broadcast(x, place);                                                          \
  }                                                                                                \
  BUILTIN T intel_sub_group_shuffle_xor(T x, uint mask) {                                          \
    return sub_group_broadcast(x, get_sub_group_local_id() ^ mask);                                \
  }                                                                                                \
  BUILTIN T intel_sub_group_shuffle_up(T previous, T current, uint delta) {                        \
    return beside(previous, current, get_sub_group_local_id() + get_max_sub_group_size() - delta); \
  }                                                                                                \
  BUILTIN T intel_sub_group_shuffle_down(T current, T next, uint delta) {                          \
    return beside(current, next, get_sub_group_local_id() + delta);                                \
  }
#define ALL_SHUFFLES(N, T, ...)                                                                    \
  SHUFFLES(T)                                                                                      \
  SHORT_VECTORS(WITH_ONE, T, intel_sub_group_shuffle)                                              \
  SHORT_VECTORS(WITH_ONE, T, intel_sub_group_shuffle_xor)                                          \
  SHORT_VECTORS(WITH_TWO, T, intel_sub_group_shuffle_up)                                           \
  SHORT_VECTORS(WITH_TWO, T, intel_sub_group_shuffle_down)                                         \
  SHUFFLES(T##8)                                                                                   \
  SHUFFLES(T##16)
EACH_TYPE(SCALAR_ONLY, ALL_SHUFFLES)

#define REDUCTION(T, NAME)                                                                         \
  BUILTIN T intel_sub_group_##NAME(T x) {                                                          \
    return sub_group_##NAME(x);                                                                    \
  }
#define REDUCTIONS(T, OP)                                                                          \
  REDUCTION(T, reduce_##OP)                                                                        \
  REDUCTION(T, scan_inclusive_##OP)                                                                \
  REDUCTION(T, scan_exclusive_##OP)
#define OF_SMALL_INTEGERS(T)                                                                       \
  BUILTIN T intel_sub_group_broadcast(T x, uint place) {                                           \
    return sub_group_broadcast(x, place);                                                          \
  }                                                                                                \
  SHORT_VECTORS(WITH_ONE, T, intel_sub_group_broadcast)                                            \
  BUILTIN T##8 intel_sub_group_broadcast(T##8 x, uint place) {                                     \
    return sub_group_broadcast(x, place);                                                          \
  }                                                                                                \
  BUILTIN T##16 intel_sub_group_broadcast(T##16 x, uint place) {                                   \
    return sub_group_broadcast(x, place);                                                          \
  }                                                                                                \
  REDUCTIONS(T, add)                                                                               \
  REDUCTIONS(T, min)                                                                               \
  REDUCTIONS(T, max)
EACH_SMALL_INTEGER(OF_SMALL_INTEGERS)

// A block has an element of each work-item of a full sub-group, then their second elements, and so
// on. It begins where the first work-item says, as on the devices that programs with blocks are
// written for: some give each work-item a pointer of its own.
#define BLOCK_OF_ONE(SPACE, T)                                                                     \
  static inline BUILTIN T read_##SPACE##_##T(const SPACE T* p) {                                   \
    return p[get_sub_group_local_id()];                                                            \
  }                                                                                                \
  static inline BUILTIN void write_##SPACE##_##T(SPACE T* p, T data) {                             \
    p[get_sub_group_local_id()] = data;                                                            \
  }
#define BLOCK_HALVES(SPACE, T, N, HALF)                                                            \
  static inline BUILTIN T##N read_##SPACE##_##T##N(const SPACE T* p) {                             \
    const uint size = get_max_sub_group_size();                                                    \
    return (T##N)(read_##SPACE##_##T##HALF(p), read_##SPACE##_##T##HALF(p + N / 2 * size));        \
  }                                                                                                \
  static inline BUILTIN void write_##SPACE##_##T##N(SPACE T* p, T##N data) {                       \
    const uint size = get_max_sub_group_size();                                                    \
    write_##SPACE##_##T##HALF(p, data.lo);                                                         \
    write_##SPACE##_##T##HALF(p + N / 2 * size, data.hi);                                          \
  }
#define BLOCKS_OF(SPACE, T)                                                                        \
  BLOCK_OF_ONE(SPACE, T)                                                                           \
  BLOCK_HALVES(SPACE, T, 2, )                                                                      \
  BLOCK_HALVES(SPACE, T, 4, 2)                                                                     \
  BLOCK_HALVES(SPACE, T, 8, 4)

#define FIRST_PLACE(P) ((P) + (long)(sub_group_broadcast_first((ulong)(P)) - (ulong)(P)))
#define BLOCK(SUFFIX, SPACE, T, N)                                                                 \
  BUILTIN T##N intel_sub_group_block_read##SUFFIX##N(const SPACE T* p) {                           \
    return read_##SPACE##_##T##N((const SPACE T*)FIRST_PLACE((const SPACE char*)p));               \
  }                                                                                                \
  BUILTIN void intel_sub_group_block_write##SUFFIX##N(SPACE T* p, T##N data) {                     \
    write_##SPACE##_##T##N((SPACE T*)FIRST_PLACE((SPACE char*)p), data);                           \
  }
#define BLOCKS_IN(SUFFIX, SPACE, T)                                                                \
  BLOCK(SUFFIX, SPACE, T, )                                                                        \
  BLOCK(SUFFIX, SPACE, T, 2)                                                                       \
  BLOCK(SUFFIX, SPACE, T, 4)                                                                       \
  BLOCK(SUFFIX, SPACE, T, 8)
#define BLOCKS(SUFFIX, T)                                                                          \
  BLOCKS_IN(SUFFIX, global, T)                                                                     \
  BLOCKS_IN(SUFFIX, local, T)

#define TYPE(T)                                                                                    \
  BLOCKS_OF(global, T)                                                                             \
  BLOCKS_OF(local, T)
TYPE(uchar)
TYPE(ushort)
TYPE(uint)
TYPE(ulong)
BLOCK_HALVES(global, uchar, 16, 8)
BLOCK_HALVES(local, uchar, 16, 8)
BLOCK_HALVES(global, ushort, 16, 8)
BLOCK_HALVES(local, ushort, 16, 8)

BLOCKS(, uint)
BLOCKS(_ui, uint)
BLOCKS(_uc, uchar)
BLOCKS(_us, ushort)
BLOCKS(_ul, ulong)
BLOCK(_uc, global, uchar, 16)
BLOCK(_uc, local, uchar, 16)
BLOCK(_us, global, ushort, 16)
BLOCK(_us, local, ushort, 16)
