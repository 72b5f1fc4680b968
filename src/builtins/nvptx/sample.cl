// image/sample.cl for NVIDIA's GPUs: through the textures of an image, where it has them.
#include "textures.h"

// The element nearest to `s`, which may be outside of the image.
static inline BUILTIN int element_at(ulong sampler, float s, int size) {
  const int i = __quern_nvptx_floor_to_int(unnormalized(sampler, s, size));
  return (sampler & SAMPLER_ADDRESSING) == SAMPLER_REPEAT && i > size - 1 ? i - size : i;
}

// A place repeats in the texture itself, so that its last element is next to its first.
static inline BUILTIN ulong filtered(nvptx_image_ptr image, ulong sampler) {
  switch (sampler & SAMPLER_ADDRESSING) {
  case SAMPLER_CLAMP:
    return image->filtered_to_border;
  case SAMPLER_REPEAT:
    return image->filtered_repeating;
  default:
    return image->filtered_to_edge;
  }
}
static inline BUILTIN float filtered_at(ulong sampler, float s, int size) {
  const bool repeats = (sampler & SAMPLER_ADDRESSING) == SAMPLER_REPEAT;
  return repeats ? s : unnormalized(sampler, s, size);
}

// For images without textures.
static BUILTIN_COLD float4 memory_filtered(image_ptr image, ulong sampler, float x, float y,
                                           int dimensions) {
  float4 sum = 0;
#pragma unroll 1
  for (int k = 0; k < 1 << dimensions; ++k) {
    const struct pair i = around(sampler, x, image->size[0]);
    const struct pair j = around(sampler, y, image->size[1]);
    const float column = k & 1 ? i.weight : 1 - i.weight;
    const float row = dimensions < 2 ? 1 : k & 2 ? j.weight : 1 - j.weight;
    sum +=
        column * row * element_f(image, sampler, 0, k & 1 ? i.i1 : i.i0, k & 2 ? j.i1 : j.i0, 0, 2);
  }
  return sum;
}
static inline BUILTIN float4 elements_filtered(nvptx_image_ptr image, ulong sampler, float x,
                                               float y, int dimensions) {
  const struct pair i = around(sampler, x, image->memory.size[0]);
  const struct pair j = around(sampler, y, image->memory.size[1]);
  const float a = i.weight, b = j.weight;
  const float4 above = (1 - a) * texture_channels_f(image, sampler, i.i0, j.i0) +
                       a * texture_channels_f(image, sampler, i.i1, j.i0);
  if (dimensions < 2)
    return color_of(image, above);
  const float4 below = (1 - a) * texture_channels_f(image, sampler, i.i0, j.i1) +
                       a * texture_channels_f(image, sampler, i.i1, j.i1);
  return color_of(image, (1 - b) * above + b * below);
}
// With weights of float, for images whose textures have no filter. Not as rare as that, but what it
// waits for takes longer than its call.
static BUILTIN_COLD float4 exactly_filtered(image_ptr data, ulong sampler, float x, float y,
                                            int dimensions) {
  const nvptx_image_ptr image = (nvptx_image_ptr)data;
  return image->elements ? elements_filtered(image, sampler, x, y, dimensions)
                         : memory_filtered(data, sampler, x, y, dimensions);
}
#define IN_MEMORY(SUFFIX, T, ...)                                                                  \
  static BUILTIN_COLD T##4 memory_nearest_##SUFFIX(image_ptr image, ulong sampler, float x,        \
                                                   float y) {                                      \
    return element_##SUFFIX(image, sampler, 0, nearest(sampler, x, image->size[0]),                \
                            nearest(sampler, y, image->size[1]), 0, 2);                            \
  }                                                                                                \
  static inline BUILTIN T##4 nearest_##SUFFIX(image_ptr data, ulong sampler, float x, float y) {   \
    const nvptx_image_ptr image = (nvptx_image_ptr)data;                                           \
    if (!__quern_nvptx_has_texture(image->elements))                                               \
      return memory_nearest_##SUFFIX(data, sampler, x, y);                                         \
    return color_of(image, texture_channels_##SUFFIX(image, sampler,                               \
                                                     element_at(sampler, x, data->size[0]),        \
                                                     element_at(sampler, y, data->size[1])));      \
  }
EACH_SUFFIX(IN_MEMORY, )

static inline BUILTIN float4 sample_f(image_ptr data, ulong sampler, float x, float y,
                                      int dimensions) {
  if (!(sampler & SAMPLER_LINEAR))
    return nearest_f(data, sampler, x, y);
  const nvptx_image_ptr image = (nvptx_image_ptr)data;
  const ulong texture = filtered(image, sampler);
  if (!__quern_nvptx_has_texture(texture))
    return exactly_filtered(data, sampler, x, y, dimensions);
  return color_of(image, __quern_nvptx_filtered_f(texture, filtered_at(sampler, x, data->size[0]),
                                                  filtered_at(sampler, y, data->size[1])));
}

// The middle of the only row of an image of one dimension, in elements and normalized.
#define ROW 0.5f

float4 __nvptx___quern_sample_f_1(image_ptr image, ulong sampler, float x) {
  return sample_f(image, sampler, x, ROW, 1);
}
float4 __nvptx___quern_sample_f_2(image_ptr image, ulong sampler, float x, float y) {
  return sample_f(image, sampler, x, y, 2);
}

// Integers cannot be filtered.
#define SAMPLE_INTEGERS(SUFFIX, T)                                                                 \
  T##4 __nvptx___quern_sample_##SUFFIX##_1(image_ptr image, ulong sampler, float x) {              \
    return nearest_##SUFFIX(image, sampler, x, ROW);                                               \
  }                                                                                                \
  T##4 __nvptx___quern_sample_##SUFFIX##_2(image_ptr image, ulong sampler, float x, float y) {     \
    return nearest_##SUFFIX(image, sampler, x, y);                                                 \
  }
SAMPLE_INTEGERS(i, int)
SAMPLE_INTEGERS(ui, uint)
