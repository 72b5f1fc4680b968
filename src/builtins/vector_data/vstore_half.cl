// vstore_half and vstorea_half: float and double rounded to half, to nearest even unless the name
// says otherwise.
#include "half.h"

#define SCALAR_STORE(SUFFIX, MODE, T, SPACE)                                                       \
  BUILTIN void vstore_half##SUFFIX(T x, size_t offset, SPACE half* p) {                            \
    ((SPACE ushort*)p)[offset] = to_half_##MODE(x);                                                \
  }                                                                                                \
  BUILTIN void vstorea_half##SUFFIX(T x, size_t offset, SPACE half* p) {                           \
    ((SPACE ushort*)p)[offset] = to_half_##MODE(x);                                                \
  }

#define STORE(N, SUFFIX, MODE, T, SPACE)                                                           \
  BUILTIN void vstore_half##N##SUFFIX(T##N x, size_t offset, SPACE half* p) {                      \
    vstore##N(to_half_##MODE(x), offset, (SPACE ushort*)p);                                        \
  }                                                                                                \
  BUILTIN void vstorea_half##N##SUFFIX(T##N x, size_t offset, SPACE half* p) {                     \
    ((SPACE ushort##N*)p)[offset] = to_half_##MODE(x);                                             \
  }
// The aligned form of a vector of three skips a fourth element and must not write it.
#define STORE_3(SUFFIX, MODE, T, SPACE)                                                            \
  BUILTIN void vstore_half3##SUFFIX(T##3 x, size_t offset, SPACE half* p) {                        \
    vstore3(to_half_##MODE(x), offset, (SPACE ushort*)p);                                          \
  }                                                                                                \
  BUILTIN void vstorea_half3##SUFFIX(T##3 x, size_t offset, SPACE half* p) {                       \
    vstore3(to_half_##MODE(x), 0, (SPACE ushort*)p + 4 * offset);                                  \
  }
#define STORES(SUFFIX, MODE, T, SPACE)                                                             \
  SCALAR_STORE(SUFFIX, MODE, T, SPACE)                                                             \
  STORE(2, SUFFIX, MODE, T, SPACE)                                                                 \
  STORE_3(SUFFIX, MODE, T, SPACE)                                                                  \
  STORE(4, SUFFIX, MODE, T, SPACE)                                                                 \
  STORE(8, SUFFIX, MODE, T, SPACE)                                                                 \
  STORE(16, SUFFIX, MODE, T, SPACE)
#define STORES_IN_SPACE(T, SPACE)                                                                  \
  STORES(, rte, T, SPACE)                                                                          \
  STORES(_rte, rte, T, SPACE)                                                                      \
  STORES(_rtz, rtz, T, SPACE)                                                                      \
  STORES(_rtp, rtp, T, SPACE)                                                                      \
  STORES(_rtn, rtn, T, SPACE)
#define STORES_OF(T)                                                                               \
  STORES_IN_SPACE(T, global)                                                                       \
  STORES_IN_SPACE(T, local) STORES_IN_SPACE(T, private) STORES_IN_SPACE(T, generic)
STORES_OF(float)
STORES_OF(double)
