#include "device/linear_image.h"

#include <cmath>

#include "device/image_format.h"

namespace quern::device {

namespace {

using abi::TexelKind;
using abi::TexelOrder;

TexelOrder texelOrder(cl_channel_order order) {
  switch (order) {
  case CL_A:
    return TexelOrder::A;
  case CL_RA:
    return TexelOrder::RA;
  case CL_BGRA:
  case CL_sBGRA:
    return TexelOrder::BGRA;
  case CL_ARGB:
    return TexelOrder::ARGB;
  case CL_ABGR:
    return TexelOrder::ABGR;
  case CL_INTENSITY:
    return TexelOrder::Intensity;
  case CL_LUMINANCE:
    return TexelOrder::Luminance;
  default:
    return TexelOrder::InOrder;
  }
}

/// Packed elements without alpha hold three channels, whatever their order counts.
uint32_t storedChannels(const cl_image_format& format) {
  switch (format.image_channel_data_type) {
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
  case CL_UNORM_INT_101010:
    return 3;
  default:
    return channelCount(format.image_channel_order);
  }
}

uint32_t layoutOf(const cl_image_format& format) {
  const auto kind = isSrgb(format.image_channel_order)
                        ? static_cast<uint32_t>(TexelKind::SrgbInt8)
                        : format.image_channel_data_type - CL_SNORM_INT8;
  return kind * 4 + storedChannels(format) - 1;
}

/// Alpha of what lies outside of an image: orders that have no alpha read as 1 there, too.
float borderAlpha(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_RG:
  case CL_RGB:
  case CL_LUMINANCE:
  case CL_DEPTH:
    return 1;
  default:
    return 0;
  }
}

} // namespace

const std::array<float, 256>& srgbTable() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values;
    for (size_t i = 0; i < values.size(); ++i) {
      const double c = static_cast<double>(i) / 255;
      values[i] = static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return values;
  }();
  return table;
}

abi::CpuImage describeLinearImage(const ImageRequest& request, uint64_t srgbTableAddress) {
  const ImageDescription& description = request.description;
  const cl_image_format& format = description.format;
  abi::CpuImage image = {};
  image.data = request.allocation->address() + request.offset;
  image.strides[0] = description.rowStride;
  image.strides[1] = description.sliceStride;
  for (size_t i = 0; i < description.size.size(); ++i)
    image.size[i] = static_cast<int32_t>(description.size[i]);
  image.elementBytes = elementBytes(format);
  image.layout = layoutOf(format);
  image.order = static_cast<uint32_t>(texelOrder(format.image_channel_order));
  image.borderAlpha = borderAlpha(format.image_channel_order);
  const cl_image_format& told = description.announced ? *description.announced : format;
  image.channelOrder = told.image_channel_order;
  image.channelDataType = told.image_channel_data_type;
  image.samples = description.samples ? description.samples : 1;
  image.srgbTable = srgbTableAddress;
  return image;
}

} // namespace quern::device
