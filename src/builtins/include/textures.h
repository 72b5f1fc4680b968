// The textures through which NVIDIA's GPUs read images (abi/nvptx_image.h).
#pragma once

#include "places.h"

struct nvptx_image {
  struct image_data memory;
  ulong elements;
  ulong filtered_to_edge;
  ulong filtered_to_border;
  ulong filtered_repeating;
  uint alpha;
  uint is_blue_first;
};
typedef constant struct nvptx_image* nvptx_image_ptr;

int __quern_nvptx_has_texture(ulong texture); // not 0 (compiler/target/nvptx/texture_forms.h)
// Instructions; what a texture has at a place (compiler/target/nvptx/hardware_functions.h).
int __quern_nvptx_floor_to_int(float x); // the nearest int where it is none
float4 __quern_nvptx_filtered_f(ulong texture, float x, float y);
float4 __quern_nvptx_element_f(ulong texture, int x, int y);
int4 __quern_nvptx_element_i(ulong texture, int x, int y);
uint4 __quern_nvptx_element_ui(ulong texture, int x, int y);

// color_of: the color of the channels that a texture has.
// texture_channels_...: the channels of an element of an image that has a texture of its elements.
// The place may be outside of the image: there they are the border's or those at the edge.
#define READ_TEXTURES(SUFFIX, T, ...)                                                              \
  static inline BUILTIN T##4 color_of(nvptx_image_ptr image, T##4 channels) {                      \
    const T##4 color = image->is_blue_first ? channels.zyxw : channels;                            \
    return (T##4)(color.xyz, __builtin_astype(__builtin_astype(color.w, uint) | image->alpha, T)); \
  }                                                                                                \
  static inline BUILTIN T##4 texture_channels_##SUFFIX(nvptx_image_ptr image, ulong sampler,       \
                                                       int x, int y) {                             \
    const bool clamps = (sampler & SAMPLER_ADDRESSING) == SAMPLER_CLAMP;                           \
    const int nx = clamps ? x : clamp_index(x, image->memory.size[0]);                             \
    const int ny = clamps ? y : clamp_index(y, image->memory.size[1]);                             \
    return __quern_nvptx_element_##SUFFIX(image->elements, nx, ny);                                \
  }
EACH_SUFFIX(READ_TEXTURES, )
