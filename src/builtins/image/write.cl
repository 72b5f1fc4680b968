// write_imagef, write_imagei, write_imageui and write_imageh. What lies outside of the image is left alone.
#include "image_types.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define WRITE_ELEMENTS(SUFFIX, T, ...)                                                             \
  static inline BUILTIN void write_##SUFFIX(image_ptr image, T##4 color, int x, int y, int z,      \
                                            int dimensions) {                                      \
    const bool inside = (uint)x < (uint)image->size[0] &&                                          \
                        (dimensions < 2 || (uint)y < (uint)image->size[1]) &&                      \
                        (dimensions < 3 || (uint)z < (uint)image->size[2]);                        \
    if (inside)                                                                                    \
      __quern_store_##SUFFIX(image, offset_of(image, x, y, z, dimensions), color);                 \
  }
EACH_SUFFIX(WRITE_ELEMENTS, )

#define ALL_CHANNELS(color) color
#define FIRST_CHANNEL(depth) ((float4)(depth, 0, 0, 0))
#define FROM_HALF(color) __builtin_convertvector(color, float4)

#define WRITE(IMAGE, FORM, ACCESS, NAME, SUFFIX, T, PREPARE)                                       \
  BUILTIN void NAME(ACCESS IMAGE image, INT_COORD_##FORM coord, T color) {                         \
    write_##SUFFIX(__quern_image(image), PREPARE(color), COORDINATES_##FORM(coord),                \
                   DIMENSIONS_##FORM);                                                             \
  }
#define ALL_WRITES(EACH, NAME, SUFFIX, T, PREPARE)                                                 \
  EACH(WRITE, write_only, NAME, SUFFIX, T, PREPARE)                                                \
  EACH(WRITE, read_write, NAME, SUFFIX, T, PREPARE)
#define COLOR_WRITES(NAME, SUFFIX, T, PREPARE)                                                     \
  ALL_WRITES(EACH_COLOR_IMAGE, NAME, SUFFIX, T, PREPARE)                                           \
  WRITE(image1d_buffer_t, LINE, write_only, NAME, SUFFIX, T, PREPARE)                              \
  WRITE(image1d_buffer_t, LINE, read_write, NAME, SUFFIX, T, PREPARE)

COLOR_WRITES(write_imagef, f, float4, ALL_CHANNELS)
COLOR_WRITES(write_imagei, i, int4, ALL_CHANNELS)
COLOR_WRITES(write_imageui, ui, uint4, ALL_CHANNELS)
COLOR_WRITES(write_imageh, f, half4, FROM_HALF)
ALL_WRITES(EACH_DEPTH_IMAGE, write_imagef, f, float, FIRST_CHANNEL)
