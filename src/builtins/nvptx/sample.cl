// image/sample.cl for NVIDIA's GPUs: through the textures of an image, where it has them.
#include "textures.h"

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
static inline BUILTIN float place(ulong sampler, float s, int size) {
  const bool repeats = (sampler & SAMPLER_ADDRESSING) == SAMPLER_REPEAT;
  return repeats ? s : unnormalized(sampler, s, size);
}

// Reading memory is kept out of the way of the texture, by functions that may call the others as
// forms do.
#define IN_MEMORY(SUFFIX, T, ...)                                                                  \
  BUILTIN_RARE T##4 __nvptx_memory_sample_##SUFFIX(image_ptr image, ulong sampler, float x) {      \
    return __quern_sample_##SUFFIX##_1(image, sampler, x);                                         \
  }                                                                                                \
  BUILTIN_RARE T##4 __nvptx_memory_sample_##SUFFIX(image_ptr image, ulong sampler, float x,        \
                                                   float y) {                                      \
    return __quern_sample_##SUFFIX##_2(image, sampler, x, y);                                      \
  }                                                                                                \
  static inline BUILTIN T##4 nearest_##SUFFIX(image_ptr data, ulong sampler, float x) {            \
    const nvptx_image_ptr image = (nvptx_image_ptr)data;                                           \
    if (image->elements == 0)                                                                      \
      return __nvptx_memory_sample_##SUFFIX(data, sampler, x);                                     \
    return texture_element_##SUFFIX(image, sampler, nearest(sampler, x, data->size[0]), 0);        \
  }                                                                                                \
  static inline BUILTIN T##4 nearest_##SUFFIX(image_ptr data, ulong sampler, float x, float y) {   \
    const nvptx_image_ptr image = (nvptx_image_ptr)data;                                           \
    if (image->elements == 0)                                                                      \
      return __nvptx_memory_sample_##SUFFIX(data, sampler, x, y);                                  \
    return texture_element_##SUFFIX(image, sampler, nearest(sampler, x, data->size[0]),            \
                                    nearest(sampler, y, data->size[1]));                           \
  }
EACH_SUFFIX(IN_MEMORY, )

float4 __nvptx___quern_sample_f_1(image_ptr data, ulong sampler, float x) {
  if (!(sampler & SAMPLER_LINEAR))
    return nearest_f(data, sampler, x);
  const nvptx_image_ptr image = (nvptx_image_ptr)data;
  const ulong texture = filtered(image, sampler);
  if (texture == 0)
    return __nvptx_memory_sample_f(data, sampler, x);
  const float u = place(sampler, x, data->size[0]);
  return color_of(image, __quern_nvptx_filtered_f(texture, u, 0.5f));
}

float4 __nvptx___quern_sample_f_2(image_ptr data, ulong sampler, float x, float y) {
  if (!(sampler & SAMPLER_LINEAR))
    return nearest_f(data, sampler, x, y);
  const nvptx_image_ptr image = (nvptx_image_ptr)data;
  const ulong texture = filtered(image, sampler);
  if (texture == 0)
    return __nvptx_memory_sample_f(data, sampler, x, y);
  const float u = place(sampler, x, data->size[0]), v = place(sampler, y, data->size[1]);
  return color_of(image, __quern_nvptx_filtered_f(texture, u, v));
}

// Integers cannot be filtered.
#define SAMPLE_INTEGERS(SUFFIX, T)                                                                 \
  T##4 __nvptx___quern_sample_##SUFFIX##_1(image_ptr image, ulong sampler, float x) {              \
    return nearest_##SUFFIX(image, sampler, x);                                                    \
  }                                                                                                \
  T##4 __nvptx___quern_sample_##SUFFIX##_2(image_ptr image, ulong sampler, float x, float y) {     \
    return nearest_##SUFFIX(image, sampler, x, y);                                                 \
  }
SAMPLE_INTEGERS(i, int)
SAMPLE_INTEGERS(ui, uint)
