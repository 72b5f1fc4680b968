// length, distance and normalize, without overflow and without the loss of small elements: the sum
// of squares is taken as it is, but for the few that are too large or too small.
#include "types.h"

// A product and a sum may be rounded together.
#pragma OPENCL FP_CONTRACT ON

#define SQUARES_2(v) ((v).x * (v).x + (v).y * (v).y)
#define SQUARES_3(v) (SQUARES_2(v) + (v).z * (v).z)
#define SQUARES_4(v) (SQUARES_3(v) + (v).w * (v).w)
#define NORM(N, v) __builtin_elementwise_sqrt(SQUARES_##N(v))

#define LARGEST_2(v) __builtin_elementwise_maximumnum((v).x, (v).y)
#define LARGEST_3(v) __builtin_elementwise_maximumnum(LARGEST_2(v), (v).z)
#define LARGEST_4(v) __builtin_elementwise_maximumnum(LARGEST_3(v), (v).w)

// Whether a sum of squares is finite and so large that what its terms lost below the normal numbers
// is of no account.
static inline BUILTIN bool is_precise(float sum) {
  const uint least = 0x0d800000, infinite = 0x7f800000; // 2^-100
  return __builtin_astype(sum, uint) - least < infinite - least;
}
static inline BUILTIN bool is_precise(double sum) {
  const ulong least = 0x0420000000000000, infinite = 0x7ff0000000000000; // 2^-957
  return __builtin_astype(sum, ulong) - least < infinite - least;
}

// The length of any vector; elements that it does not have are 0.
BUILTIN_RARE float __quern_rare_length(float x, float y, float z, float w) {
  double4 wide = {x, y, z, w};
  return (float)NORM(4, wide);
}
#define RARE_LENGTH_2(v) __quern_rare_length((v).x, (v).y, 0, 0)
#define RARE_LENGTH_3(v) __quern_rare_length((v).x, (v).y, (v).z, 0)
#define RARE_LENGTH_4(v) __quern_rare_length((v).x, (v).y, (v).z, (v).w)

// A factor that brings numbers of the given size to where their squares are normal numbers; its
// inverse is exact.
static inline BUILTIN double scale_for(double largest) {
  double down = largest > 0x1p500 ? 0x1p-600 : 1.0;
  return largest < 0x1p-500 ? 0x1p600 : down;
}

BUILTIN_RARE double __quern_rare_length(double x, double y, double z, double w) {
  double4 v = {x, y, z, w};
  double scale = scale_for(LARGEST_4(__builtin_elementwise_abs(v)));
  v *= scale;
  return NORM(4, v) / scale;
}

// A factor for a vector whose sum of squares is not precise, such that it becomes so; from the
// largest of its magnitudes.
BUILTIN_RARE float __quern_rare_scale(float largest) {
  return largest > 1.0f ? 0x1p-70f : 0x1p100f;
}

// A vector with infinite elements has the direction that these alone give it.
#define INFINITE_DIRECTION(N, T, v)                                                                \
  (__builtin_elementwise_abs(v) == (T##N)INFINITY ? __builtin_elementwise_copysign((T##N)1, v)     \
                                                  : (T##N)0 * v)

#define LENGTH(N)                                                                                  \
  BUILTIN float length(float##N v) {                                                               \
    float sum = SQUARES_##N(v), result = __builtin_elementwise_sqrt(sum);                          \
    if (!is_precise(sum))                                                                          \
      result = RARE_LENGTH_##N(v);                                                                 \
    return result;                                                                                 \
  }                                                                                                \
  BUILTIN double length(double##N v) {                                                             \
    double sum = SQUARES_##N(v), result = __builtin_elementwise_sqrt(sum);                         \
    if (!is_precise(sum))                                                                          \
      result = RARE_LENGTH_##N(v);                                                                 \
    return result;                                                                                 \
  }                                                                                                \
  BUILTIN float distance(float##N x, float##N y) {                                                 \
    return length(x - y);                                                                          \
  }                                                                                                \
  BUILTIN double distance(double##N x, double##N y) {                                              \
    double##N difference = x - y;                                                                  \
    double sum = SQUARES_##N(difference), result = __builtin_elementwise_sqrt(sum);                \
    if (!is_precise(sum)) {                                                                        \
      /* The difference of finite vectors may be infinite. */                                      \
      double scale = sum == INFINITY ? 0.5 : 1.0;                                                  \
      difference = x * scale - y * scale;                                                          \
      result = RARE_LENGTH_##N(difference) / scale;                                                \
    }                                                                                              \
    return result;                                                                                 \
  }                                                                                                \
  BUILTIN float##N normalize(float##N v) {                                                         \
    float sum = SQUARES_##N(v);                                                                    \
    float##N result = v * (1.0f / __builtin_elementwise_sqrt(sum));                                \
    if (!is_precise(sum)) {                                                                        \
      float largest = LARGEST_##N(__builtin_elementwise_abs(v));                                   \
      float scale = __quern_rare_scale(largest);                                                   \
      float##N finite = largest == INFINITY ? INFINITE_DIRECTION(N, float, v) / scale : v;         \
      float##N scaled = finite * scale;                                                            \
      float norm = NORM(N, scaled);                                                                \
      /* Small elements of a large vector are results all the same. */                             \
      result = scale < 1.0f ? finite * (1.0f / norm) * scale : scaled * (1.0f / norm);             \
      result = norm == 0.0f ? v : result;                                                          \
    }                                                                                              \
    return result;                                                                                 \
  }                                                                                                \
  BUILTIN double##N normalize(double##N v) {                                                       \
    double sum = SQUARES_##N(v);                                                                   \
    double##N result = v / __builtin_elementwise_sqrt(sum);                                        \
    if (!is_precise(sum)) {                                                                        \
      double largest = LARGEST_##N(__builtin_elementwise_abs(v));                                  \
      double##N finite = largest == INFINITY ? INFINITE_DIRECTION(N, double, v) : v;               \
      /* A length near the limits of the range is taken away from them; small elements of a large  \
       * vector are results all the same. */                                                       \
      double shift = largest > 0x1p1000 ? 0x1p-10 : largest < 0x1p-900 ? 0x1p600 : 1.0;            \
      finite = largest == INFINITY ? finite : finite * shift;                                      \
      double norm = RARE_LENGTH_##N(finite);                                                       \
      result = norm == 0.0 ? v : finite / norm;                                                    \
    }                                                                                              \
    return result;                                                                                 \
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
