// Colors at places given in floating-point coordinates (OpenCL C 3.0, "Image Addressing and
// Filtering"). Everything that depends on the sampler is a choice between values, not a branch, but
// for the filter: a constant sampler leaves straight code, and one that is not is the same for all
// work-items.
#include "places.h"

#define NEAREST_1(SUFFIX)                                                                          \
  element_##SUFFIX(image, sampler, base, nearest(sampler, x, image->size[0]), 0, 0, 1)
#define NEAREST_2(SUFFIX)                                                                          \
  element_##SUFFIX(image, sampler, base, nearest(sampler, x, image->size[0]),                      \
                   nearest(sampler, y, image->size[1]), 0, 2)
#define NEAREST_3(SUFFIX)                                                                          \
  element_##SUFFIX(image, sampler, 0, nearest(sampler, x, image->size[0]),                         \
                   nearest(sampler, y, image->size[1]), nearest(sampler, z, image->size[2]), 3)

// The elements that the filter weighs, one after the other, so that there is one place that decodes
// elements, whatever the filter: in code for any format that is long. The filter for the nearest
// takes the one element as it is. Where sampler and format are known the loop is unrolled.
#define EACH_TAP(COUNT) _Pragma("clang loop unroll(full)") for (int tap = 0; tap < (COUNT); ++tap)

// Element and weight of a tap along one axis; the `bit` says which of the two.
static inline BUILTIN int place_of(struct pair pair, int tap, int bit) {
  return tap & bit ? pair.i1 : pair.i0;
}

static inline BUILTIN float weight_of(struct pair pair, int tap, int bit) {
  return tap & bit ? pair.weight : 1 - pair.weight;
}

static inline BUILTIN struct pair taps_along(ulong sampler, float s, int size) {
  if (sampler & SAMPLER_LINEAR)
    return around(sampler, s, size);
  struct pair result = {nearest(sampler, s, size), 0, 0};
  return result;
}

static inline BUILTIN float4 sampled_f_1(image_ptr image, ulong sampler, ulong base, float x) {
  const struct pair i = taps_along(sampler, x, image->size[0]);
  const bool is_linear = sampler & SAMPLER_LINEAR;
  float4 sum = 0, element;
  EACH_TAP(is_linear ? 2 : 1) {
    element = element_f(image, sampler, base, place_of(i, tap, 1), 0, 0, 1);
    sum += weight_of(i, tap, 1) * element;
  }
  return is_linear ? sum : element;
}

static inline BUILTIN float4 sampled_f_2(image_ptr image, ulong sampler, ulong base, float x,
                                         float y) {
  const struct pair i = taps_along(sampler, x, image->size[0]),
                    j = taps_along(sampler, y, image->size[1]);
  const bool is_linear = sampler & SAMPLER_LINEAR;
  float4 sum = 0, element;
  EACH_TAP(is_linear ? 4 : 1) {
    element = element_f(image, sampler, base, place_of(i, tap, 1), place_of(j, tap, 2), 0, 2);
    sum += weight_of(i, tap, 1) * weight_of(j, tap, 2) * element;
  }
  return is_linear ? sum : element;
}

float4 __quern_sample_f_3(image_ptr image, ulong sampler, float x, float y, float z) {
  const struct pair i = taps_along(sampler, x, image->size[0]),
                    j = taps_along(sampler, y, image->size[1]),
                    k = taps_along(sampler, z, image->size[2]);
  const bool is_linear = sampler & SAMPLER_LINEAR;
  float4 sum = 0, element;
  EACH_TAP(is_linear ? 8 : 1) {
    element = element_f(image, sampler, 0, place_of(i, tap, 1), place_of(j, tap, 2),
                        place_of(k, tap, 4), 3);
    sum += weight_of(i, tap, 1) * weight_of(j, tap, 2) * weight_of(k, tap, 4) * element;
  }
  return is_linear ? sum : element;
}

// Integers cannot be filtered.
#define SAMPLED_INTEGERS(SUFFIX, T)                                                                \
  static inline BUILTIN T##4 sampled_##SUFFIX##_1(image_ptr image, ulong sampler, ulong base,      \
                                                  float x) {                                       \
    return NEAREST_1(SUFFIX);                                                                      \
  }                                                                                                \
  static inline BUILTIN T##4 sampled_##SUFFIX##_2(image_ptr image, ulong sampler, ulong base,      \
                                                  float x, float y) {                              \
    return NEAREST_2(SUFFIX);                                                                      \
  }                                                                                                \
  T##4 __quern_sample_##SUFFIX##_3(image_ptr image, ulong sampler, float x, float y, float z) {    \
    return NEAREST_3(SUFFIX);                                                                      \
  }
SAMPLED_INTEGERS(i, int)
SAMPLED_INTEGERS(ui, uint)

#define SAMPLE(SUFFIX, T, ...)                                                                     \
  T##4 __quern_sample_##SUFFIX##_1(image_ptr image, ulong sampler, float x) {                      \
    return sampled_##SUFFIX##_1(image, sampler, 0, x);                                             \
  }                                                                                                \
  T##4 __quern_sample_##SUFFIX##_2(image_ptr image, ulong sampler, float x, float y) {             \
    return sampled_##SUFFIX##_2(image, sampler, 0, x, y);                                          \
  }                                                                                                \
  T##4 __quern_sample_layer_##SUFFIX##_1(image_ptr image, ulong sampler, ulong base, float x) {    \
    return sampled_##SUFFIX##_1(image, sampler, base, x);                                          \
  }                                                                                                \
  T##4 __quern_sample_layer_##SUFFIX##_2(image_ptr image, ulong sampler, ulong base, float x,      \
                                         float y) {                                                \
    return sampled_##SUFFIX##_2(image, sampler, base, x, y);                                       \
  }
EACH_SUFFIX(SAMPLE, )
