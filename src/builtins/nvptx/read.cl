// image/read.cl for NVIDIA's GPUs: elements of images of one and two dimensions through the texture
// of an image, where it has one.
#include "image_types.h"
#include "textures.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// For images without textures.
#define IN_MEMORY(SUFFIX, T, ...)                                                                  \
  static BUILTIN_COLD T##4 memory_element_##SUFFIX(image_ptr image, ulong sampler, int x, int y) { \
    return element_##SUFFIX(image, sampler, 0, x, y, 0, 2);                                        \
  }                                                                                                \
  static inline BUILTIN T##4 read_##SUFFIX(image_ptr data, ulong sampler, int x, int y) {          \
    const nvptx_image_ptr image = (nvptx_image_ptr)data;                                           \
    return __quern_nvptx_has_texture(image->elements)                                              \
               ? color_of(image, texture_channels_##SUFFIX(image, sampler, x, y))                  \
               : memory_element_##SUFFIX(data, sampler, x, y);                                     \
  }
EACH_SUFFIX(IN_MEMORY, )

#define ALL_CHANNELS(color) color
#define FIRST_CHANNEL(color) (color).x
#define AS_HALF(color) __builtin_convertvector(color, half4)
#define PLACE_LINE(c) (c), 0
#define PLACE_PLANE(c) (c).x, (c).y

#define READ(IMAGE, FORM, NAME, SUFFIX, RESULT, FINISH)                                            \
  BUILTIN RESULT __nvptx_##NAME(read_only IMAGE image, sampler_t sampler,                          \
                                INT_COORD_##FORM coord) {                                          \
    return FINISH(                                                                                 \
        read_##SUFFIX(__quern_image(image), __quern_sampler(sampler), PLACE_##FORM(coord)));       \
  }                                                                                                \
  BUILTIN RESULT __nvptx_##NAME(read_only IMAGE image, INT_COORD_##FORM coord) {                   \
    return FINISH(read_##SUFFIX(__quern_image(image), 0, PLACE_##FORM(coord)));                    \
  }
#define READ_COLORS(NAME, SUFFIX, RESULT, FINISH)                                                  \
  READ(image1d_t, LINE, NAME, SUFFIX, RESULT, FINISH)                                              \
  READ(image2d_t, PLANE, NAME, SUFFIX, RESULT, FINISH)

READ_COLORS(read_imagef, f, float4, ALL_CHANNELS)
READ_COLORS(read_imagei, i, int4, ALL_CHANNELS)
READ_COLORS(read_imageui, ui, uint4, ALL_CHANNELS)
READ_COLORS(read_imageh, f, half4, AS_HALF)
READ(image2d_depth_t, PLANE, read_imagef, f, float, FIRST_CHANNEL)
