// Colors of the stored channels of an image's elements, and back.
#pragma once

#include "image.h"

// Stored channels in the places of red, green, blue and alpha.
#define IN_PLACE(SUFFIX, T, ...)                                                                   \
  static inline BUILTIN T##4 in_place(uint order, T##4 c) {                                        \
    switch (order) {                                                                               \
    case ORDER_A:                                                                                  \
      return (T##4)(0, 0, 0, c.x);                                                                 \
    case ORDER_RA:                                                                                 \
      return (T##4)(c.x, 0, 0, c.y);                                                               \
    case ORDER_BGRA:                                                                               \
      return c.zyxw;                                                                               \
    case ORDER_ARGB:                                                                               \
      return c.yzwx;                                                                               \
    case ORDER_ABGR:                                                                               \
      return c.wzyx;                                                                               \
    case ORDER_INTENSITY:                                                                          \
      return c.xxxx;                                                                               \
    case ORDER_LUMINANCE:                                                                          \
      return (T##4)(c.xxx, 1);                                                                     \
    default:                                                                                       \
      return c;                                                                                    \
    }                                                                                              \
  }                                                                                                \
  static inline BUILTIN T##4 as_stored(uint order, T##4 c) {                                       \
    switch (order) {                                                                               \
    case ORDER_A:                                                                                  \
      return c.wwww;                                                                               \
    case ORDER_RA:                                                                                 \
      return c.xwxw;                                                                               \
    case ORDER_BGRA:                                                                               \
      return c.zyxw;                                                                               \
    case ORDER_ARGB:                                                                               \
      return c.wxyz;                                                                               \
    case ORDER_ABGR:                                                                               \
      return c.wzyx;                                                                               \
    default:                                                                                       \
      return c;                                                                                    \
    }                                                                                              \
  }
EACH_SUFFIX(IN_PLACE, )
