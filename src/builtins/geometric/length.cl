// length, distance and normalize, without overflow and without the loss of small elements: float in
// double's range, double scaled by a power of two.
#include "types.h"

// The square root of the sum of squares, and the factor by which the elements are to be multiplied
// for it.
#define NORM_2(v) __builtin_elementwise_sqrt((v).x*(v).x + (v).y * (v).y)
#define NORM_3(v) __builtin_elementwise_sqrt((v).x*(v).x + (v).y * (v).y + (v).z * (v).z)
#define NORM_4(v)                                                                                  \
  __builtin_elementwise_sqrt((v).x*(v).x + (v).y * (v).y + (v).z * (v).z + (v).w * (v).w)

#define LARGEST_2(v) __builtin_elementwise_maximumnum((v).x, (v).y)
#define LARGEST_3(v) __builtin_elementwise_maximumnum(LARGEST_2(v), (v).z)
#define LARGEST_4(v) __builtin_elementwise_maximumnum(LARGEST_3(v), (v).w)

// A factor that brings numbers of the given size to where their squares are normal numbers; its
// inverse is exact.
static inline BUILTIN double scale_for(double largest) {
  double down = largest > 0x1p500 ? 0x1p-600 : 1.0;
  return largest < 0x1p-500 ? 0x1p600 : down;
}

// A vector with infinite elements has the direction that these alone give it.
#define INFINITE_DIRECTION(N, T, v)                                                                \
  (__builtin_elementwise_abs(v) == (T##N)INFINITY ? __builtin_elementwise_copysign((T##N)1, v)     \
                                                  : (T##N)0 * v)

#define LENGTH(N)                                                                                  \
  BUILTIN float length(float##N v) {                                                               \
    double##N wide = __builtin_convertvector(v, double##N);                                        \
    return (float)NORM_##N(wide);                                                                  \
  }                                                                                                \
  BUILTIN double length(double##N v) {                                                             \
    double scale = scale_for(LARGEST_##N(__builtin_elementwise_abs(v)));                           \
    v *= scale;                                                                                    \
    return NORM_##N(v) / scale;                                                                    \
  }                                                                                                \
  BUILTIN float distance(float##N x, float##N y) {                                                 \
    double##N wide =                                                                               \
        __builtin_convertvector(x, double##N) - __builtin_convertvector(y, double##N);             \
    return (float)NORM_##N(wide);                                                                  \
  }                                                                                                \
  BUILTIN double distance(double##N x, double##N y) {                                              \
    double scale = scale_for(__builtin_elementwise_maximumnum(                                     \
        LARGEST_##N(__builtin_elementwise_abs(x)), LARGEST_##N(__builtin_elementwise_abs(y))));    \
    return length(x * scale - y * scale) / scale;                                                  \
  }                                                                                                \
  BUILTIN float##N normalize(float##N v) {                                                         \
    float largest = LARGEST_##N(__builtin_elementwise_abs(v));                                     \
    float##N finite = largest == INFINITY ? INFINITE_DIRECTION(N, float, v) : v;                   \
    double##N wide = __builtin_convertvector(finite, double##N);                                   \
    double norm = NORM_##N(wide);                                                                  \
    return norm == 0.0 ? v : __builtin_convertvector(wide / norm, float##N);                       \
  }                                                                                                \
  BUILTIN double##N normalize(double##N v) {                                                       \
    double largest = LARGEST_##N(__builtin_elementwise_abs(v));                                    \
    double##N finite = largest == INFINITY ? INFINITE_DIRECTION(N, double, v) : v;                 \
    /* A length near the limits of the range is taken away from them; small elements of a large    \
     * vector are results all the same. */                                                         \
    double shift = largest > 0x1p1000 ? 0x1p-10 : largest < 0x1p-900 ? 0x1p600 : 1.0;              \
    finite = largest == INFINITY ? finite : finite * shift;                                        \
    double norm = length(finite);                                                                  \
    return norm == 0.0 ? v : finite / norm;                                                        \
  }
LENGTH(2)
LENGTH(3)
LENGTH(4)

#define SCALAR_LENGTH(T)                                                                           \
  BUILTIN T length(T v) {                                                                          \
    return __builtin_elementwise_abs(v);                                                           \
  }                                                                                                \
  BUILTIN T distance(T x, T y) {                                                                   \
    return __builtin_elementwise_abs(x - y);                                                       \
  }                                                                                                \
  BUILTIN T normalize(T v) {                                                                       \
    return v == (T)0 || v != v ? v : __builtin_elementwise_copysign((T)1, v);                      \
  }
SCALAR_LENGTH(float)
SCALAR_LENGTH(double)
