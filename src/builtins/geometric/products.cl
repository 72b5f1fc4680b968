// cross and dot, and the fast_ functions, which are dot and a square root.
#include "types.h"

// A product and a sum may be rounded together: the limits of these functions allow either.
#define CONTRACT _Pragma("clang fp contract(on)")

#define DOT_(a, b) ((a) * (b))
#define DOT_2(a, b) ((a).x * (b).x + (a).y * (b).y)
#define DOT_3(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)
#define DOT_4(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z + (a).w * (b).w)

#define DOT(N, T)                                                                                  \
  BUILTIN T dot(T##N x, T##N y) {                                                                  \
    CONTRACT                                                                                       \
    return DOT_##N(x, y);                                                                          \
  }
#define CROSS(T)                                                                                   \
  BUILTIN T##3 cross(T##3 x, T##3 y) {                                                             \
    CONTRACT                                                                                       \
    return x.yzx * y.zxy - x.zxy * y.yzx;                                                          \
  }                                                                                                \
  BUILTIN T##4 cross(T##4 x, T##4 y) {                                                             \
    return (T##4)(cross(x.xyz, y.xyz), (T)0);                                                      \
  }
#define PRODUCTS(T) DOT(, T) DOT(2, T) DOT(3, T) DOT(4, T) CROSS(T)
PRODUCTS(float)
PRODUCTS(double)

#define FAST(N)                                                                                    \
  BUILTIN float fast_length(float##N v) {                                                          \
    return __builtin_elementwise_sqrt(dot(v, v));                                                  \
  }                                                                                                \
  BUILTIN float fast_distance(float##N x, float##N y) {                                            \
    return fast_length(x - y);                                                                     \
  }                                                                                                \
  BUILTIN float##N fast_normalize(float##N v) {                                                    \
    float square = dot(v, v);                                                                      \
    return square == 0.0f ? v : v / __builtin_elementwise_sqrt(square);                            \
  }
FAST()
FAST(2)
FAST(3)
FAST(4)
