// Places in images, given as a sampler says.
#pragma once

#include "image.h"

// A whole number as an int from `lowest` to `highest`; NaN is `lowest`.
static inline BUILTIN int to_int(float x, int lowest, int highest) {
  const float low = (float)lowest, high = (float)highest;
  float inside = x > low ? x : low;
  inside = inside < high ? inside : high;
  // A float beyond 2^24 may have been rounded up.
  return __builtin_elementwise_min((int)inside, highest);
}

// Where `s` is along an axis of `size` elements, in elements.
static inline BUILTIN float unnormalized(ulong sampler, float s, int size) {
  const ulong addressing = sampler & SAMPLER_ADDRESSING;
  const float mirrored =
      __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_roundeven(0.5f * s));
  float within = addressing == SAMPLER_REPEAT ? s - __builtin_elementwise_floor(s) : s;
  within = addressing == SAMPLER_MIRRORED_REPEAT ? mirrored : within;
  return sampler & SAMPLER_NORMALIZED ? within * (float)size : within;
}

// The element nearest to `s`; outside of the image only by one.
static inline BUILTIN int nearest(ulong sampler, float s, int size) {
  const float u = unnormalized(sampler, s, size);
  const int i = to_int(__builtin_elementwise_floor(u), -1, size);
  return (sampler & SAMPLER_ADDRESSING) == SAMPLER_REPEAT && i > size - 1 ? i - size : i;
}

// The two elements around `s` and the weight of the second.
struct pair {
  int i0, i1;
  float weight;
};

static inline BUILTIN struct pair around(ulong sampler, float s, int size) {
  const float u = unnormalized(sampler, s, size) - 0.5f;
  const float whole = __builtin_elementwise_floor(u);
  const int below = to_int(whole, -2, size), above = below + 1;
  const bool repeats = (sampler & SAMPLER_ADDRESSING) == SAMPLER_REPEAT;
  struct pair result;
  result.i0 = repeats && below < 0 ? below + size : below;
  result.i1 = repeats && above > size - 1 ? above - size : above;
  result.weight = u - whole;
  return result;
}

// The element at a place, which may be outside of the image: there it is the border's color or the
// element at the edge.
#define ELEMENTS(SUFFIX, T, ...)                                                                   \
  static inline BUILTIN T##4 element_##SUFFIX(image_ptr image, ulong sampler, ulong base, int x,   \
                                              int y, int z, int dimensions) {                      \
    int nx = clamp_index(x, image->size[0]), ny = 0, nz = 0;                                       \
    bool inside = nx == x;                                                                         \
    if (dimensions > 1) {                                                                          \
      ny = clamp_index(y, image->size[1]);                                                         \
      inside &= ny == y;                                                                           \
    }                                                                                              \
    if (dimensions > 2) {                                                                          \
      nz = clamp_index(z, image->size[2]);                                                         \
      inside &= nz == z;                                                                           \
    }                                                                                              \
    const T##4 color =                                                                             \
        __quern_fetch_##SUFFIX(image, base + offset_of(image, nx, ny, nz, dimensions));            \
    const T##4 border = (T##4)(0, 0, 0, (T)image->border_alpha);                                   \
    return inside || (sampler & SAMPLER_ADDRESSING) != SAMPLER_CLAMP ? color : border;             \
  }
EACH_SUFFIX(ELEMENTS, )
