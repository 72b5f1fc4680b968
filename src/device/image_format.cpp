#include "device/image_format.h"

namespace quern::device {

namespace {

bool isPacked(cl_channel_type type) {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010 ||
         type == CL_UNORM_INT_101010_2 || type == CL_UNORM_INT24;
}

/// Bytes of a channel, or of all channels of a packed type; 0 for a type that does not exist.
uint32_t typeBytes(cl_channel_type type) {
  switch (type) {
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8:
    return 1;
  case CL_SNORM_INT16:
  case CL_UNORM_INT16:
  case CL_SIGNED_INT16:
  case CL_UNSIGNED_INT16:
  case CL_HALF_FLOAT:
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
    return 2;
  case CL_SIGNED_INT32:
  case CL_UNSIGNED_INT32:
  case CL_FLOAT:
  case CL_UNORM_INT_101010:
  case CL_UNORM_INT_101010_2:
  case CL_UNORM_INT24:
    return 4;
  default:
    return 0;
  }
}

bool isNormalizedOrFloat(cl_channel_type type) {
  switch (type) {
  case CL_SNORM_INT8:
  case CL_SNORM_INT16:
  case CL_UNORM_INT8:
  case CL_UNORM_INT16:
  case CL_HALF_FLOAT:
  case CL_FLOAT:
    return true;
  default:
    return false;
  }
}

bool isByte(cl_channel_type type) {
  return !isPacked(type) && typeBytes(type) == 1;
}

/// Whether an order and a type may be combined.
bool belongTogether(cl_channel_order order, cl_channel_type type) {
  switch (order) {
  case CL_R:
  case CL_A:
  case CL_RG:
  case CL_RA:
    return !isPacked(type);
  case CL_RGBA:
    return !isPacked(type) || type == CL_UNORM_INT_101010_2;
  case CL_RGB:
    return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
  case CL_ARGB:
  case CL_BGRA:
  case CL_ABGR:
    return isByte(type);
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return isNormalizedOrFloat(type);
  case CL_DEPTH:
    return type == CL_UNORM_INT16 || type == CL_FLOAT;
  case CL_DEPTH_STENCIL:
    return type == CL_UNORM_INT24 || type == CL_FLOAT;
  case CL_sRGBA:
  case CL_sBGRA:
    return type == CL_UNORM_INT8;
  default:
    return false;
  }
}

} // namespace

uint32_t channelCount(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_A:
  case CL_INTENSITY:
  case CL_LUMINANCE:
  case CL_DEPTH:
    return 1;
  case CL_RG:
  case CL_RA:
  case CL_DEPTH_STENCIL:
    return 2;
  case CL_RGB:
    return 3;
  case CL_RGBA:
  case CL_ARGB:
  case CL_BGRA:
  case CL_ABGR:
  case CL_sRGBA:
  case CL_sBGRA:
    return 4;
  default:
    return 0;
  }
}

uint32_t elementBytes(const cl_image_format& format) {
  const cl_channel_order order = format.image_channel_order;
  const cl_channel_type type = format.image_channel_data_type;
  if (!belongTogether(order, type))
    return 0;
  return isPacked(type) ? typeBytes(type) : typeBytes(type) * channelCount(order);
}

bool isForeignOrder(cl_channel_order order) {
  switch (order) {
  case CL_Rx:
  case CL_RGx:
  case CL_RGBx:
  case CL_sRGB:
  case CL_sRGBx:
  case CL_DEPTH_STENCIL:
    return true;
  default:
    return false;
  }
}

bool isDepth(const cl_image_format& format) {
  return format.image_channel_order == CL_DEPTH || format.image_channel_order == CL_DEPTH_STENCIL;
}

bool isSrgb(cl_channel_order order) {
  return order == CL_sRGBA || order == CL_sBGRA;
}

} // namespace quern::device
