// The image types of OpenCL C, as macros that apply a definition to each of them.
#pragma once

#include "image.h"

#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable

// EACH_xxx(M, ...) is M(type, form, ...). The form says how coordinates become places:
// COORDINATES_form(coord) are x, y and z, for a function whose last parameter is the number of
// dimensions, DIMENSIONS_form. LINE has a scalar coordinate, ARRAY has one coordinate more than its
// layers have dimensions.
#define EACH_COLOR_IMAGE(M, ...)                                                                   \
  M(image1d_t, LINE, __VA_ARGS__)                                                                  \
  M(image1d_array_t, LINE_ARRAY, __VA_ARGS__)                                                      \
  M(image2d_t, PLANE, __VA_ARGS__)                                                                 \
  M(image2d_array_t, PLANE_ARRAY, __VA_ARGS__)                                                     \
  M(image3d_t, SPACE, __VA_ARGS__)
#define EACH_DEPTH_IMAGE(M, ...)                                                                   \
  M(image2d_depth_t, PLANE, __VA_ARGS__)                                                           \
  M(image2d_array_depth_t, PLANE_ARRAY, __VA_ARGS__)
#define EACH_MULTISAMPLE_COLOR_IMAGE(M, ...)                                                       \
  M(image2d_msaa_t, PLANE, __VA_ARGS__)                                                            \
  M(image2d_array_msaa_t, PLANE_ARRAY, __VA_ARGS__)
#define EACH_MULTISAMPLE_DEPTH_IMAGE(M, ...)                                                       \
  M(image2d_msaa_depth_t, PLANE, __VA_ARGS__)                                                      \
  M(image2d_array_msaa_depth_t, PLANE_ARRAY, __VA_ARGS__)
#define EACH_MULTISAMPLE_IMAGE(M, ...)                                                             \
  EACH_MULTISAMPLE_COLOR_IMAGE(M, __VA_ARGS__)                                                     \
  EACH_MULTISAMPLE_DEPTH_IMAGE(M, __VA_ARGS__)
#define EACH_IMAGE(M, ...)                                                                         \
  EACH_COLOR_IMAGE(M, __VA_ARGS__)                                                                 \
  EACH_DEPTH_IMAGE(M, __VA_ARGS__)                                                                 \
  EACH_MULTISAMPLE_IMAGE(M, __VA_ARGS__) M(image1d_buffer_t, LINE, __VA_ARGS__)

#define INT_COORD_LINE int
#define INT_COORD_LINE_ARRAY int2
#define INT_COORD_PLANE int2
#define INT_COORD_PLANE_ARRAY int4
#define INT_COORD_SPACE int4
#define FLOAT_COORD_LINE float
#define FLOAT_COORD_LINE_ARRAY float2
#define FLOAT_COORD_PLANE float2
#define FLOAT_COORD_PLANE_ARRAY float4
#define FLOAT_COORD_SPACE float4

#define COORDINATES_LINE(c) (c), 0, 0
#define COORDINATES_LINE_ARRAY(c) (c).x, (c).y, 0
#define COORDINATES_PLANE(c) (c).x, (c).y, 0
#define COORDINATES_PLANE_ARRAY(c) (c).x, (c).y, (c).z
#define COORDINATES_SPACE(c) (c).x, (c).y, (c).z
#define DIMENSIONS_LINE 1
#define DIMENSIONS_LINE_ARRAY 2
#define DIMENSIONS_PLANE 2
#define DIMENSIONS_PLANE_ARRAY 3
#define DIMENSIONS_SPACE 3
// How many of the dimensions, from the first on, are not layers.
#define LAYER_DIMENSIONS_LINE 1
#define LAYER_DIMENSIONS_LINE_ARRAY 1
#define LAYER_DIMENSIONS_PLANE 2
#define LAYER_DIMENSIONS_PLANE_ARRAY 2
#define LAYER_DIMENSIONS_SPACE 3

// The compiler's own functions: what stands behind an image and a sampler.
#define DECLARE_IMAGE(IMAGE, FORM, ...)                                                            \
  __attribute__((overloadable, const)) image_ptr __quern_image(read_only IMAGE image);             \
  __attribute__((overloadable, const)) image_ptr __quern_image(write_only IMAGE image);            \
  __attribute__((overloadable, const)) image_ptr __quern_image(read_write IMAGE image);
EACH_IMAGE(DECLARE_IMAGE, )
__attribute__((const)) ulong __quern_sampler(sampler_t sampler);
