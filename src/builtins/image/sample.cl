// Colors at places given in floating-point coordinates (OpenCL C 3.0, "Image Addressing and
// Filtering"). Everything that depends on the sampler is a choice between values, not a branch, but
// for the choice of the filter: a constant sampler leaves straight code, and one that is not is the
// same for all work-items.
#include "places.h"

#define NEAREST_1(SUFFIX)                                                                          \
  element_##SUFFIX(image, sampler, base, nearest(sampler, x, image->size[0]), 0, 0, 1)
#define NEAREST_2(SUFFIX)                                                                          \
  element_##SUFFIX(image, sampler, base, nearest(sampler, x, image->size[0]),                      \
                   nearest(sampler, y, image->size[1]), 0, 2)
#define NEAREST_3(SUFFIX)                                                                          \
  element_##SUFFIX(image, sampler, 0, nearest(sampler, x, image->size[0]),                         \
                   nearest(sampler, y, image->size[1]), nearest(sampler, z, image->size[2]), 3)

static inline BUILTIN float4 sampled_f_1(image_ptr image, ulong sampler, ulong base, float x) {
  if (!(sampler & SAMPLER_LINEAR))
    return NEAREST_1(f);
  const struct pair i = around(sampler, x, image->size[0]);
  return (1 - i.weight) * element_f(image, sampler, base, i.i0, 0, 0, 1) +
         i.weight * element_f(image, sampler, base, i.i1, 0, 0, 1);
}

static inline BUILTIN float4 sampled_f_2(image_ptr image, ulong sampler, ulong base, float x,
                                         float y) {
  if (!(sampler & SAMPLER_LINEAR))
    return NEAREST_2(f);
  const struct pair i = around(sampler, x, image->size[0]), j = around(sampler, y, image->size[1]);
  const float a = i.weight, b = j.weight;
  return (1 - a) * (1 - b) * element_f(image, sampler, base, i.i0, j.i0, 0, 2) +
         a * (1 - b) * element_f(image, sampler, base, i.i1, j.i0, 0, 2) +
         (1 - a) * b * element_f(image, sampler, base, i.i0, j.i1, 0, 2) +
         a * b * element_f(image, sampler, base, i.i1, j.i1, 0, 2);
}

float4 __quern_sample_f_3(image_ptr image, ulong sampler, float x, float y, float z) {
  if (!(sampler & SAMPLER_LINEAR))
    return NEAREST_3(f);
  const struct pair i = around(sampler, x, image->size[0]), j = around(sampler, y, image->size[1]),
                    k = around(sampler, z, image->size[2]);
  const float a = i.weight, b = j.weight, c = k.weight;
  return (1 - a) * (1 - b) * (1 - c) * element_f(image, sampler, 0, i.i0, j.i0, k.i0, 3) +
         a * (1 - b) * (1 - c) * element_f(image, sampler, 0, i.i1, j.i0, k.i0, 3) +
         (1 - a) * b * (1 - c) * element_f(image, sampler, 0, i.i0, j.i1, k.i0, 3) +
         a * b * (1 - c) * element_f(image, sampler, 0, i.i1, j.i1, k.i0, 3) +
         (1 - a) * (1 - b) * c * element_f(image, sampler, 0, i.i0, j.i0, k.i1, 3) +
         a * (1 - b) * c * element_f(image, sampler, 0, i.i1, j.i0, k.i1, 3) +
         (1 - a) * b * c * element_f(image, sampler, 0, i.i0, j.i1, k.i1, 3) +
         a * b * c * element_f(image, sampler, 0, i.i1, j.i1, k.i1, 3);
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
