// read_imagef, read_imagei, read_imageui and read_imageh.
#include "image_types.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// At integer coordinates the filter is always the nearest one. A sampler that does not clamp reads
// the element at the edge, and so does the layer of an array.
#define READ_ELEMENTS(SUFFIX, T, ...)                                                              \
  static inline BUILTIN T##4 read_##SUFFIX(image_ptr image, ulong sampler, int x, int y, int z,    \
                                           int dimensions, int layer_dimensions) {                 \
    const int nx = clamp_index(x, image->size[0]);                                                 \
    const int ny = dimensions > 1 ? clamp_index(y, image->size[1]) : 0;                            \
    const int nz = dimensions > 2 ? clamp_index(z, image->size[2]) : 0;                            \
    const bool inside =                                                                            \
        nx == x && (layer_dimensions < 2 || ny == y) && (layer_dimensions < 3 || nz == z);         \
    const T##4 color = __quern_fetch_##SUFFIX(image, offset_of(image, nx, ny, nz, dimensions));    \
    const T##4 border = (T##4)(0, 0, 0, (T)image->border_alpha);                                   \
    return inside || (sampler & SAMPLER_ADDRESSING) != SAMPLER_CLAMP ? color : border;             \
  }
EACH_SUFFIX(READ_ELEMENTS, )

// The sample that is asked for, of the element at x and y of layer z. There is no sampler.
#define READ_SAMPLES(SUFFIX, T, ...)                                                               \
  static inline BUILTIN T##4 read_sample_##SUFFIX(image_ptr image, int x, int y, int z,            \
                                                  int sample) {                                    \
    const int slice = clamp_index(z, image->size[2]) * (int)image->samples +                       \
                      clamp_index(sample, (int)image->samples);                                    \
    return __quern_fetch_##SUFFIX(image, offset_of(image, clamp_index(x, image->size[0]),          \
                                                   clamp_index(y, image->size[1]), slice, 3));     \
  }
EACH_SUFFIX(READ_SAMPLES, )

// Offset of the layer nearest to a coordinate.
static inline BUILTIN ulong layer_offset(float layer, int count, ulong stride) {
  const float last = (float)(count - 1);
  float nearest = __builtin_elementwise_roundeven(layer);
  nearest = nearest > 0 ? nearest : 0;
  return (ulong)(nearest < last ? nearest : last) * stride;
}

#define SAMPLE_LINE(SUFFIX, c) __quern_sample_##SUFFIX##_1(data, sampler_bits, c)
#define SAMPLE_LINE_ARRAY(SUFFIX, c)                                                               \
  __quern_sample_layer_##SUFFIX##_1(data, sampler_bits,                                            \
                                    layer_offset(c.y, data->size[1], data->strides[0]), c.x)
#define SAMPLE_PLANE(SUFFIX, c) __quern_sample_##SUFFIX##_2(data, sampler_bits, c.x, c.y)
#define SAMPLE_PLANE_ARRAY(SUFFIX, c)                                                              \
  __quern_sample_layer_##SUFFIX##_2(data, sampler_bits,                                            \
                                    layer_offset(c.z, data->size[2], data->strides[1]), c.x, c.y)
#define SAMPLE_SPACE(SUFFIX, c) __quern_sample_##SUFFIX##_3(data, sampler_bits, c.x, c.y, c.z)

#define ALL_CHANNELS(color) color
#define FIRST_CHANNEL(color) (color).x
#define AS_HALF(color) __builtin_convertvector(color, half4)

#define WITH_SAMPLER(IMAGE, FORM, NAME, SUFFIX, RESULT, FINISH)                                    \
  BUILTIN RESULT NAME(read_only IMAGE image, sampler_t sampler, INT_COORD_##FORM coord) {          \
    return FINISH(read_##SUFFIX(__quern_image(image), __quern_sampler(sampler),                    \
                                COORDINATES_##FORM(coord), DIMENSIONS_##FORM,                      \
                                LAYER_DIMENSIONS_##FORM));                                         \
  }                                                                                                \
  BUILTIN RESULT NAME(read_only IMAGE image, sampler_t sampler, FLOAT_COORD_##FORM coord) {        \
    const image_ptr data = __quern_image(image);                                                   \
    const ulong sampler_bits = __quern_sampler(sampler);                                           \
    return FINISH(SAMPLE_##FORM(SUFFIX, coord));                                                   \
  }

#define WITHOUT_SAMPLER(IMAGE, FORM, ACCESS, NAME, SUFFIX, RESULT, FINISH)                         \
  BUILTIN RESULT NAME(ACCESS IMAGE image, INT_COORD_##FORM coord) {                                \
    return FINISH(read_##SUFFIX(__quern_image(image), 0, COORDINATES_##FORM(coord),                \
                                DIMENSIONS_##FORM, LAYER_DIMENSIONS_##FORM));                      \
  }

#define ALL_READS(EACH, NAME, SUFFIX, RESULT, FINISH)                                              \
  EACH(WITH_SAMPLER, NAME, SUFFIX, RESULT, FINISH)                                                 \
  EACH(WITHOUT_SAMPLER, read_only, NAME, SUFFIX, RESULT, FINISH)                                   \
  EACH(WITHOUT_SAMPLER, read_write, NAME, SUFFIX, RESULT, FINISH)
#define COLOR_READS(NAME, SUFFIX, RESULT, FINISH)                                                  \
  ALL_READS(EACH_COLOR_IMAGE, NAME, SUFFIX, RESULT, FINISH)                                        \
  WITHOUT_SAMPLER(image1d_buffer_t, LINE, read_only, NAME, SUFFIX, RESULT, FINISH)                 \
  WITHOUT_SAMPLER(image1d_buffer_t, LINE, read_write, NAME, SUFFIX, RESULT, FINISH)

COLOR_READS(read_imagef, f, float4, ALL_CHANNELS)
COLOR_READS(read_imagei, i, int4, ALL_CHANNELS)
COLOR_READS(read_imageui, ui, uint4, ALL_CHANNELS)
COLOR_READS(read_imageh, f, half4, AS_HALF)
ALL_READS(EACH_DEPTH_IMAGE, read_imagef, f, float, FIRST_CHANNEL)

#define OF_SAMPLE(IMAGE, FORM, ACCESS, NAME, SUFFIX, RESULT, FINISH)                               \
  BUILTIN RESULT NAME(ACCESS IMAGE image, INT_COORD_##FORM coord, int sample) {                    \
    return FINISH(read_sample_##SUFFIX(__quern_image(image), COORDINATES_##FORM(coord), sample));  \
  }
#define SAMPLE_READS(EACH, NAME, SUFFIX, RESULT, FINISH)                                           \
  EACH(OF_SAMPLE, read_only, NAME, SUFFIX, RESULT, FINISH)                                         \
  EACH(OF_SAMPLE, read_write, NAME, SUFFIX, RESULT, FINISH)

SAMPLE_READS(EACH_MULTISAMPLE_COLOR_IMAGE, read_imagef, f, float4, ALL_CHANNELS)
SAMPLE_READS(EACH_MULTISAMPLE_COLOR_IMAGE, read_imagei, i, int4, ALL_CHANNELS)
SAMPLE_READS(EACH_MULTISAMPLE_COLOR_IMAGE, read_imageui, ui, uint4, ALL_CHANNELS)
SAMPLE_READS(EACH_MULTISAMPLE_DEPTH_IMAGE, read_imagef, f, float, FIRST_CHANNEL)
