#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// What a compiled CPU kernel reads of an image: each image argument is the address of a CpuImage.
/// The built-in library (src/builtins/include/image.h) repeats these declarations in OpenCL C, so
/// any change raises `cpuKernelAbiVersion`.
namespace quern::abi {

/// How the channels of an element are stored. Times 4, plus the number of channels minus 1:
/// CpuImage::layout. The values up to UnormInt101010_2 are those of the channel data type, counted
/// from CL_SNORM_INT8.
enum class TexelKind : uint32_t {
  SnormInt8 = 0,
  SnormInt16 = 1,
  UnormInt8 = 2,
  UnormInt16 = 3,
  UnormShort565 = 4,
  UnormShort555 = 5,
  UnormInt101010 = 6,
  SignedInt8 = 7,
  SignedInt16 = 8,
  SignedInt32 = 9,
  UnsignedInt8 = 10,
  UnsignedInt16 = 11,
  UnsignedInt32 = 12,
  HalfFloat = 13,
  Float = 14,
  UnormInt101010_2 = 16,
  SrgbInt8 = 17, ///< UNORM_INT8 whose first three channels are in the sRGB color space
};

/// Which stored channels are red, green, blue and alpha.
enum class TexelOrder : uint32_t {
  InOrder = 0, ///< R, RG, RGB, RGBA and those that differ from them in nothing that is stored
  A = 1,
  RA = 2,
  BGRA = 3,
  ARGB = 4,
  ABGR = 5,
  Intensity = 6,
  Luminance = 7,
};

struct CpuImage {
  uint64_t data;       ///< address of the element at the origin
  uint64_t strides[2]; ///< bytes from an element to the next one in the second and third dimension
  int32_t size[3]; ///< in elements; the layers of an array are its last dimension; 1 where there is
                   ///< none
  uint32_t elementBytes;
  uint32_t layout;       ///< TexelKind and number of channels
  uint32_t order;        ///< TexelOrder
  float borderAlpha;     ///< alpha of the border color, whose other channels are 0
  uint32_t channelOrder; ///< what get_image_channel_order and get_image_channel_data_type return
  uint32_t channelDataType;
  uint32_t
      samples; ///< of each element, as device::ImageDescription places them; 1 where there is one
  uint64_t srgbTable; ///< address of 256 floats: the linear value of each sRGB value
};

/// What code may rely on of how the elements of an image are stored, in one number: layout, order
/// and elementBytes. Never 0.
constexpr int64_t formatOf(const CpuImage& image) {
  return int64_t{image.layout} | int64_t{image.order} << 8 | int64_t{image.elementBytes} << 16;
}

/// The fields of CpuImage that a format tells, by their places in it.
struct FormatField {
  uint32_t offset = 0; ///< of 4 bytes
  uint32_t value = 0;
};

constexpr std::array<FormatField, 3> fieldsOf(int64_t format) {
  const auto byte = [format](unsigned index) {
    return static_cast<uint32_t>(format >> (8 * index)) & 0xff;
  };
  return {{{offsetof(CpuImage, layout), byte(0)},
           {offsetof(CpuImage, order), byte(1)},
           {offsetof(CpuImage, elementBytes), byte(2)}}};
}

} // namespace quern::abi
