// vloadn and vstoren: vectors at addresses that are aligned to an element only.
#include "types.h"

// A vector type with the alignment of its element says just that to the compiler.
#define UNALIGNED_VECTOR(N, T, S, U, BITS)                                                         \
  typedef T##N unaligned_##T##N __attribute__((aligned(sizeof(T))));
EACH_TYPE(EACH_VECTOR, UNALIGNED_VECTOR)

// Three elements are accessed one by one: a vector of three takes the space of four, of which the
// last may lie outside the buffer.
#define LOAD(N, T, SPACE)                                                                          \
  BUILTIN T##N vload##N(size_t offset, const SPACE T* p) {                                         \
    return *(const SPACE unaligned_##T##N*)(p + offset * N);                                       \
  }
#define STORE(N, T, SPACE)                                                                         \
  BUILTIN void vstore##N(T##N data, size_t offset, SPACE T* p) {                                   \
    *(SPACE unaligned_##T##N*)(p + offset * N) = data;                                             \
  }
#define LOAD_3(T, SPACE)                                                                           \
  BUILTIN T##3 vload3(size_t offset, const SPACE T* p) {                                           \
    p += offset * 3;                                                                               \
    return (T##3)(p[0], p[1], p[2]);                                                               \
  }
#define STORE_3(T, SPACE)                                                                          \
  BUILTIN void vstore3(T##3 data, size_t offset, SPACE T* p) {                                     \
    p += offset * 3;                                                                               \
    p[0] = data.x;                                                                                 \
    p[1] = data.y;                                                                                 \
    p[2] = data.z;                                                                                 \
  }

#define LOADS(T, SPACE)                                                                            \
  LOAD(2, T, SPACE) LOAD_3(T, SPACE) LOAD(4, T, SPACE) LOAD(8, T, SPACE) LOAD(16, T, SPACE)
#define STORES(T, SPACE)                                                                           \
  STORE(2, T, SPACE) STORE_3(T, SPACE) STORE(4, T, SPACE) STORE(8, T, SPACE) STORE(16, T, SPACE)
#define LOADS_AND_STORES(N, T, S, U, BITS)                                                         \
  LOADS(T, constant)                                                                               \
  LOADS(T, global)                                                                                 \
  STORES(T, global) LOADS(T, local) STORES(T, local) LOADS(T, private) STORES(T, private)          \
      LOADS(T, generic) STORES(T, generic)
EACH_TYPE(SCALAR_ONLY, LOADS_AND_STORES)
