// sin, cos and tan of float for NVIDIA's GPUs.
#ifndef WIDTH
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define FORM(name) __nvptx_##name

#define LARGE_ARGUMENTS(name)                                                                      \
  BUILTIN Float name(Float x);                                                                     \
  static inline BUILTIN Float large_##name(Float x) {                                              \
    return name(x);                                                                                \
  }
LARGE_ARGUMENTS(sin)
LARGE_ARGUMENTS(cos)
LARGE_ARGUMENTS(tan)
#undef LARGE_ARGUMENTS

static inline BUILTIN Float reciprocal(Float x) {
  return raw_reciprocal(x);
}

#include "circular_in_float.h"

#undef FORM
#endif
