#include "api/image_shape.h"

#include <algorithm>

#include "base/sentence.h"
#include "device/image_format.h"

namespace quern::api {

namespace {

using runtime::Context;
using Shape = runtime::Image::Shape;

bool isKnownType(cl_channel_type type) {
  return type >= CL_SNORM_INT8 && type <= CL_UNORM_INT_101010_2;
}

struct Limits {
  std::array<uint64_t, 3> size = {1, 1, 1};
};

/// The largest sizes that a device of the context has for images of `type`.
Limits limitsOf(const Context& context, cl_mem_object_type type) {
  Limits limits;
  const auto raise = [&limits](size_t index, uint64_t value) {
    limits.size[index] = std::max(limits.size[index], value);
  };
  for (const Ref<runtime::Device>& device : context.devices()) {
    const device::ImageLimits& own = device->caps().imageLimits;
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      raise(0, own.maxBufferElements);
      break;
    case CL_MEM_OBJECT_IMAGE3D:
      for (size_t i = 0; i < own.max3D.size(); ++i)
        raise(i, own.max3D[i]);
      break;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      raise(0, own.max2D[0]);
      raise(1, own.maxLayers);
      break;
    default:
      raise(0, own.max2D[0]);
      if (type != CL_MEM_OBJECT_IMAGE1D)
        raise(1, own.max2D[1]);
      if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        raise(2, own.maxLayers);
    }
  }
  return limits;
}

std::array<uint64_t, 3> sizeOf(const cl_image_desc& description) {
  switch (description.image_type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    return {description.image_width, 1, 1};
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return {description.image_width, description.image_array_size, 1};
  case CL_MEM_OBJECT_IMAGE2D:
    return {description.image_width, description.image_height, 1};
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return {description.image_width, description.image_height, description.image_array_size};
  default:
    return {description.image_width, description.image_height, description.image_depth};
  }
}

Status checkSize(const Context& context, const device::ImageDescription& image) {
  const Limits limits = limitsOf(context, image.type);
  for (size_t i = 0; i < image.size.size(); ++i)
    if (image.size[i] == 0 || image.size[i] > limits.size[i])
      return Status::error(CL_INVALID_IMAGE_SIZE,
                           sentence("an image of ", image.size[0], " x ", image.size[1], " x ",
                                    image.size[2],
                                    " elements is not possible: each must be from 1 to ",
                                    limits.size[0], ", ", limits.size[1], " and ", limits.size[2]));
  return {};
}

bool hasSlices(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE3D || isImageArray(type);
}

/// Takes over the pitches of `description`, or what stands for zero.
Status parsePitches(const cl_image_desc& description, bool hasElements, Shape& shape) {
  const device::ImageDescription& image = shape.description;
  const uint64_t element = device::elementBytes(image.format);
  const uint64_t rowBytes = image.size[0] * element;
  // A pitch is given, but no memory that has it.
  if (!hasElements && (description.image_row_pitch != 0 || description.image_slice_pitch != 0))
    return invalidDescriptor("a pitch is given, but neither host_ptr nor a buffer");
  shape.rowPitch = description.image_row_pitch ? description.image_row_pitch : rowBytes;
  if (shape.rowPitch < rowBytes || shape.rowPitch % element != 0)
    return invalidDescriptor(sentence("image_row_pitch ", shape.rowPitch,
                                      " is not a multiple of the element's ", element,
                                      " bytes that is at least ", rowBytes));
  const bool isLineArray = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const uint64_t rows = isLineArray ? 1 : image.size[1];
  const uint64_t slices = isLineArray ? image.size[1] : image.size[2];
  uint64_t sliceBytes = 0, bytes = 0;
  bool fits = !__builtin_mul_overflow(rows, shape.rowPitch, &sliceBytes);
  const uint64_t slicePitch =
      description.image_slice_pitch ? description.image_slice_pitch : sliceBytes;
  fits = fits && !__builtin_mul_overflow(slices, slicePitch, &bytes);
  if (!fits)
    return invalidDescriptor(sentence("an image with image_row_pitch ", shape.rowPitch,
                                      " and image_slice_pitch ", description.image_slice_pitch,
                                      " has more than 2^64 bytes"));
  if (!hasSlices(image.type))
    return {};
  shape.slicePitch = slicePitch;
  if (shape.slicePitch < sliceBytes || shape.slicePitch % shape.rowPitch != 0)
    return invalidDescriptor(sentence("image_slice_pitch ", shape.slicePitch,
                                      " is not a multiple of the row pitch ", shape.rowPitch,
                                      " that is at least ", sliceBytes));
  return {};
}

} // namespace

bool isImageType(cl_mem_object_type type) {
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
  case CL_MEM_OBJECT_IMAGE3D:
    return true;
  default:
    return false;
  }
}

bool isImageArray(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

Status checkFormat(const cl_image_format* format) {
  if (!format)
    return Status::error(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
  const bool mayExist =
      device::elementBytes(*format) != 0 || (device::isForeignOrder(format->image_channel_order) &&
                                             isKnownType(format->image_channel_data_type));
  if (!mayExist)
    return Status::error(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                         sentence(formatName(*format), " do not go together"));
  return {};
}

std::string formatName(const cl_image_format& format) {
  return sentence("channel order ", format.image_channel_order, " and channel data type ",
                  format.image_channel_data_type);
}

Result<Shape> parseShape(const Context& context, const cl_image_format& format,
                         const cl_image_desc* description, bool hasElements) {
  if (!description)
    return invalidDescriptor("image_desc is NULL");
  if (!isImageType(description->image_type))
    return invalidDescriptor(
        sentence("image_type ", description->image_type, " is not a type of images"));
  if (description->num_mip_levels != 0 || description->num_samples != 0)
    return invalidDescriptor("num_mip_levels and num_samples must be 0");
  Shape shape;
  shape.description = {.type = description->image_type,
                       .format = format,
                       .size = sizeOf(*description),
                       .rowStride = 0,
                       .sliceStride = 0};
  QUERN_TRY(checkSize(context, shape.description));
  QUERN_TRY(parsePitches(*description, hasElements, shape));
  // The layers of a 1D array are its second dimension.
  shape.description.rowStride =
      shape.description.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? shape.slicePitch : shape.rowPitch;
  shape.description.sliceStride = shape.slicePitch;
  return shape;
}

uint64_t memoryBytes(const Shape& shape) {
  const device::ImageDescription& image = shape.description;
  if (image.slices() > 1 || image.type == CL_MEM_OBJECT_IMAGE3D ||
      image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    return image.slices() * image.sliceStride;
  return image.size[1] * image.rowStride;
}

} // namespace quern::api
