// Conversions and bit patterns by one name for every width, for functions that are written once
// with the types of each_width.h.
#pragma once

#include "floating.h"

// A product and a sum may be rounded together: such a function is right either way.
#pragma OPENCL FP_CONTRACT ON

#define LANES(N, ...)                                                                              \
  static inline BUILTIN double##N to_double(float##N x) {                                          \
    return CONVERT(N, double, x);                                                                  \
  }                                                                                                \
  static inline BUILTIN double##N to_double(int##N x) {                                            \
    return CONVERT(N, double, x);                                                                  \
  }                                                                                                \
  static inline BUILTIN float##N to_float(double##N x) {                                           \
    return CONVERT(N, float, x);                                                                   \
  }                                                                                                \
  static inline BUILTIN float##N to_float(int##N x) {                                              \
    return CONVERT(N, float, x);                                                                   \
  }                                                                                                \
  static inline BUILTIN double##N to_double(long##N x) {                                           \
    return CONVERT(N, double, x);                                                                  \
  }                                                                                                \
  static inline BUILTIN int##N to_int(long##N x) {                                                 \
    return CONVERT(N, int, x);                                                                     \
  }                                                                                                \
  static inline BUILTIN int##N to_int(float##N x) {                                                \
    return CONVERT(N, int, x);                                                                     \
  }                                                                                                \
  static inline BUILTIN long##N to_long(int##N x) {                                                \
    return CONVERT(N, long, x);                                                                    \
  }                                                                                                \
  static inline BUILTIN int##N bits_of(float##N x) {                                               \
    return REINTERPRET(N, int, x);                                                                 \
  }                                                                                                \
  static inline BUILTIN long##N bits_of(double##N x) {                                             \
    return REINTERPRET(N, long, x);                                                                \
  }                                                                                                \
  static inline BUILTIN float##N number_of(int##N x) {                                             \
    return REINTERPRET(N, float, x);                                                               \
  }                                                                                                \
  static inline BUILTIN double##N number_of(long##N x) {                                           \
    return REINTERPRET(N, double, x);                                                              \
  }
EACH_WIDTH(LANES)
#undef LANES

// Two classes of numbers, by one comparison of their patterns.
#define CLASSES(N, T, S, U, BITS)                                                                  \
  static inline BUILTIN S##N is_positive_finite(T##N x) {                                          \
    return REINTERPRET(N, U, x) - (U)1 < (U##N)((U)INFINITY_BITS_##T - 1);                         \
  }                                                                                                \
  static inline BUILTIN S##N is_positive_normal(T##N x) {                                          \
    const U least = (U)1 << FRACTION_BITS_##T;                                                     \
    return REINTERPRET(N, U, x) - least < (U##N)((U)INFINITY_BITS_##T - least);                    \
  }
EACH_FLOATING(EACH_WIDTH, CLASSES)
#undef CLASSES

// A function of one number for each element of a vector: EACH_VECTOR(ON_ELEMENTS, T, name).
#define ON_ELEMENTS(N, T, name)                                                                    \
  static inline BUILTIN T##N name(T##N x) {                                                        \
    T##N result;                                                                                   \
    for (int i = 0; i < N; ++i)                                                                    \
      result[i] = name(x[i]);                                                                      \
    return result;                                                                                 \
  }

// Whether a condition holds for any element; and table[index] of every element.
static inline BUILTIN bool any_lane(int condition) {
  return condition != 0;
}
static inline BUILTIN bool any_lane(long condition) {
  return condition != 0;
}
static inline BUILTIN double looked_up(constant double* table, int index) {
  return table[index];
}
static inline BUILTIN double looked_up(constant double* table, long index) {
  return table[index];
}
#define LANES(N, ...)                                                                              \
  static inline BUILTIN bool any_lane(int##N condition) {                                          \
    return __builtin_reduce_or(condition) != 0;                                                    \
  }                                                                                                \
  static inline BUILTIN bool any_lane(long##N condition) {                                         \
    return __builtin_reduce_or(condition) != 0;                                                    \
  }                                                                                                \
  static inline BUILTIN double##N looked_up(constant double* table, int##N index) {                \
    double##N found;                                                                               \
    for (int i = 0; i < N; ++i)                                                                    \
      found[i] = table[index[i]];                                                                  \
    return found;                                                                                  \
  }                                                                                                \
  static inline BUILTIN double##N looked_up(constant double* table, long##N index) {               \
    double##N found;                                                                               \
    for (int i = 0; i < N; ++i)                                                                    \
      found[i] = table[index[i]];                                                                  \
    return found;                                                                                  \
  }
EACH_VECTOR(LANES)
#undef LANES
