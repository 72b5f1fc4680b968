// sin, cos and tan of float for NVIDIA's GPUs.
#ifndef WIDTH
#include "nvptx_instructions.h"

#include "each_width.h"
#else

#define FORM(name) __nvptx_##name

static inline BUILTIN Float reciprocal(Float x) {
  return raw_reciprocal(x);
}

BUILTIN Float sin(Float x);
BUILTIN Float cos(Float x);
BUILTIN Float tan(Float x);
static inline BUILTIN Float large_sin(Float x) {
  return sin(x);
}
static inline BUILTIN Float large_cos(Float x) {
  return cos(x);
}
static inline BUILTIN Float large_tan(Float x) {
  return tan(x);
}

#include "circular_in_float.h"

#undef FORM
#endif
