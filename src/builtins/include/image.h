// Images as the compiler hands them to kernels (abi/cpu_image.h, abi/sampler_bits.h), and the
// elements that they are made of.
#pragma once

#include "types.h"

struct image_data {
  ulong data;
  ulong strides[2];
  int size[3];
  uint element_bytes;
  uint layout;
  uint order;
  float border_alpha;
  uint channel_order;
  uint channel_data_type;
  uint samples;
  ulong srgb_table;
};
typedef constant struct image_data* image_ptr;

// Kinds of elements; with the number of channels they make image_data::layout.
#define SNORM_INT8 0
#define SNORM_INT16 1
#define UNORM_INT8 2
#define UNORM_INT16 3
#define UNORM_SHORT_565 4
#define UNORM_SHORT_555 5
#define UNORM_INT_101010 6
#define SIGNED_INT8 7
#define SIGNED_INT16 8
#define SIGNED_INT32 9
#define UNSIGNED_INT8 10
#define UNSIGNED_INT16 11
#define UNSIGNED_INT32 12
#define HALF_FLOAT 13
#define FULL_FLOAT 14
#define UNORM_INT_101010_2 16
#define SRGB_INT8 17
#define LAYOUT(KIND, CHANNELS) ((KIND) * 4 + (CHANNELS) - 1)

// Values of image_data::order.
#define ORDER_IN_ORDER 0
#define ORDER_A 1
#define ORDER_RA 2
#define ORDER_BGRA 3
#define ORDER_ARGB 4
#define ORDER_ABGR 5
#define ORDER_INTENSITY 6
#define ORDER_LUMINANCE 7

// Bits of a sampler.
#define SAMPLER_NORMALIZED 0x1ul
#define SAMPLER_ADDRESSING 0xeul
#define SAMPLER_CLAMP 0x4ul
#define SAMPLER_REPEAT 0x6ul
#define SAMPLER_MIRRORED_REPEAT 0x8ul
#define SAMPLER_LINEAR 0x20ul

// EACH_SUFFIX(M, ...) is M(suffix of the function, type of a channel, ...) for the functions of
// each type of element.
#define EACH_SUFFIX(M, ...)                                                                        \
  M(f, float, __VA_ARGS__)                                                                         \
  M(i, int, __VA_ARGS__)                                                                           \
  M(ui, uint, __VA_ARGS__)

// The element `offset` bytes behind the origin. Functions of their own, because what they do
// depends on the image's format: the formats of the whole specification would be too much for every
// call.
#define DECLARE_ELEMENT(SUFFIX, T, ...)                                                            \
  T##4 __quern_fetch_##SUFFIX(image_ptr image, ulong offset);                                      \
  void __quern_store_##SUFFIX(image_ptr image, ulong offset, T##4 color);
EACH_SUFFIX(DECLARE_ELEMENT, )

// The image's color at a place given in floating-point coordinates. The compiler makes a call whose
// sampler is a constant part of its caller, where the constant leaves only what that sampler does.
// `base` is the offset of the layer of an array.
#define DECLARE_SAMPLE(SUFFIX, T, ...)                                                             \
  T##4 __quern_sample_##SUFFIX##_1(image_ptr image, ulong sampler, float x);                       \
  T##4 __quern_sample_##SUFFIX##_2(image_ptr image, ulong sampler, float x, float y);              \
  T##4 __quern_sample_##SUFFIX##_3(image_ptr image, ulong sampler, float x, float y, float z);     \
  T##4 __quern_sample_layer_##SUFFIX##_1(image_ptr image, ulong sampler, ulong base, float x);     \
  T##4 __quern_sample_layer_##SUFFIX##_2(image_ptr image, ulong sampler, ulong base, float x,      \
                                         float y);
EACH_SUFFIX(DECLARE_SAMPLE, )

static inline BUILTIN int clamp_index(int i, int size) {
  return __builtin_elementwise_max(__builtin_elementwise_min(i, size - 1), 0);
}

static inline BUILTIN ulong offset_of(image_ptr image, int x, int y, int z, int dimensions) {
  ulong offset = (ulong)x * image->element_bytes;
  if (dimensions > 1)
    offset += (ulong)y * image->strides[0];
  if (dimensions > 2)
    offset += (ulong)z * image->strides[1];
  return offset;
}
