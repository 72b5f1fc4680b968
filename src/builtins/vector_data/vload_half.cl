// vload_half and vloada_half: numbers stored as half, read as float.
#include "half.h"

#define SCALAR_LOAD(SPACE)                                                                         \
  BUILTIN float vload_half(size_t offset, const SPACE half* p) {                                   \
    return half_to_float(((const SPACE ushort*)p)[offset]);                                        \
  }                                                                                                \
  BUILTIN float vloada_half(size_t offset, const SPACE half* p) {                                  \
    return vload_half(offset, p);                                                                  \
  }

// A vector of three takes the space of four, whose last element the aligned forms skip but do not
// read.
#define ALIGNED_2(p) (*(p))
#define ALIGNED_3(p) ((ushort3)((*(p)).x, (*(p)).y, (*(p)).z))
#define ALIGNED_4(p) (*(p))
#define ALIGNED_8(p) (*(p))
#define ALIGNED_16(p) (*(p))

#define LOAD(N, SPACE)                                                                             \
  BUILTIN float##N vload_half##N(size_t offset, const SPACE half* p) {                             \
    return half_to_float(vload##N(offset, (const SPACE ushort*)p));                                \
  }                                                                                                \
  BUILTIN float##N vloada_half##N(size_t offset, const SPACE half* p) {                            \
    return half_to_float(ALIGNED_##N((const SPACE ushort##N*)p + offset));                         \
  }
#define LOADS(SPACE)                                                                               \
  SCALAR_LOAD(SPACE) LOAD(2, SPACE) LOAD(3, SPACE) LOAD(4, SPACE) LOAD(8, SPACE) LOAD(16, SPACE)
LOADS(constant)
LOADS(global)
LOADS(local)
LOADS(private)
LOADS(generic)
