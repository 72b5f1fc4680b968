// image/sample.cl for NVIDIA's GPUs: through the textures of an image, where it has them.
#include "channel_order.h"
#include "places.h"

// abi/nvptx_image.h.
struct nvptx_image {
  struct image_data memory;
  ulong elements;
  ulong filtered_to_edge;
  ulong filtered_to_border;
  ulong filtered_repeating;
};
typedef constant struct nvptx_image* nvptx_image_ptr;

// What textures read, the instructions of the same names (compiler/nvptx/hardware_functions.h).
float4 __quern_nvptx_texture_f(ulong texture, float x, float y);
int4 __quern_nvptx_texture_i(ulong texture, float x, float y);
uint4 __quern_nvptx_texture_ui(ulong texture, float x, float y);

// The color of stored channels: those that are not stored are 0, alpha is 1.
#define COLORS(SUFFIX, T, ...)                                                                     \
  static inline BUILTIN T##4 color_of(image_ptr image, T##4 stored) {                              \
    const uint channels = image->layout % 4 + 1;                                                   \
    stored.y = channels > 1 ? stored.y : 0;                                                        \
    stored.z = channels > 2 ? stored.z : 0;                                                        \
    stored.w = channels > 2 ? stored.w : 1;                                                        \
    return in_place(image->order, stored);                                                         \
  }                                                                                                \
  static inline BUILTIN T##4 element_##SUFFIX(nvptx_image_ptr textures, ulong sampler, int x,      \
                                              int y) {                                             \
    const image_ptr image = &textures->memory;                                                     \
    const bool inside = (uint)x < (uint)image->size[0] && (uint)y < (uint)image->size[1];          \
    const T##4 color = color_of(image, __quern_nvptx_texture_##SUFFIX(                             \
                                           textures->elements, (float)x + 0.5f, (float)y + 0.5f)); \
    const T##4 border = (T##4)(0, 0, 0, (T)image->border_alpha);                                   \
    return inside || (sampler & SAMPLER_ADDRESSING) != SAMPLER_CLAMP ? color : border;             \
  }
EACH_SUFFIX(COLORS, )

// A place repeats in the texture itself, so that its last element is next to its first.
static inline BUILTIN ulong filtered(nvptx_image_ptr textures, ulong sampler) {
  switch (sampler & SAMPLER_ADDRESSING) {
  case SAMPLER_CLAMP:
    return textures->filtered_to_border;
  case SAMPLER_REPEAT:
    return textures->filtered_repeating;
  default:
    return textures->filtered_to_edge;
  }
}
static inline BUILTIN float place(ulong sampler, float s, int size) {
  const bool repeats = (sampler & SAMPLER_ADDRESSING) == SAMPLER_REPEAT;
  return repeats ? s : unnormalized(sampler, s, size);
}

float4 __nvptx___quern_sample_f_1(image_ptr image, ulong sampler, ulong base, float x) {
  const nvptx_image_ptr textures = (nvptx_image_ptr)image;
  const bool is_linear = (sampler & SAMPLER_LINEAR) != 0;
  const ulong texture = is_linear ? filtered(textures, sampler) : textures->elements;
  if (texture == 0)
    return __quern_sample_f_1(image, sampler, base, x);
  if (is_linear)
    return color_of(image,
                    __quern_nvptx_texture_f(texture, place(sampler, x, image->size[0]), 0.5f));
  return element_f(textures, sampler, nearest(sampler, x, image->size[0]), 0);
}

float4 __nvptx___quern_sample_f_2(image_ptr image, ulong sampler, ulong base, float x, float y) {
  const nvptx_image_ptr textures = (nvptx_image_ptr)image;
  const bool is_linear = (sampler & SAMPLER_LINEAR) != 0;
  const ulong texture = is_linear ? filtered(textures, sampler) : textures->elements;
  if (texture == 0)
    return __quern_sample_f_2(image, sampler, base, x, y);
  if (is_linear)
    return color_of(image, __quern_nvptx_texture_f(texture, place(sampler, x, image->size[0]),
                                                   place(sampler, y, image->size[1])));
  return element_f(textures, sampler, nearest(sampler, x, image->size[0]),
                   nearest(sampler, y, image->size[1]));
}

// Integers cannot be filtered.
#define SAMPLE_INTEGERS(SUFFIX, T)                                                                 \
  T##4 __nvptx___quern_sample_##SUFFIX##_1(image_ptr image, ulong sampler, ulong base, float x) {  \
    const nvptx_image_ptr textures = (nvptx_image_ptr)image;                                       \
    if (textures->elements == 0)                                                                   \
      return __quern_sample_##SUFFIX##_1(image, sampler, base, x);                                 \
    return element_##SUFFIX(textures, sampler, nearest(sampler, x, image->size[0]), 0);            \
  }                                                                                                \
  T##4 __nvptx___quern_sample_##SUFFIX##_2(image_ptr image, ulong sampler, ulong base, float x,    \
                                           float y) {                                              \
    const nvptx_image_ptr textures = (nvptx_image_ptr)image;                                       \
    if (textures->elements == 0)                                                                   \
      return __quern_sample_##SUFFIX##_2(image, sampler, base, x, y);                              \
    return element_##SUFFIX(textures, sampler, nearest(sampler, x, image->size[0]),                \
                            nearest(sampler, y, image->size[1]));                                  \
  }
SAMPLE_INTEGERS(i, int)
SAMPLE_INTEGERS(ui, uint)
