#include "api/image_region.h"

#include "api/handle.h"
#include "api/image_formats.h"
#include "api/image_shape.h"
#include "api/invalid.h"

namespace quern::api {

namespace {

using runtime::CommandQueue;
using runtime::Image;
using runtime::MemoryObject;

/// Whether the device could have images of this size.
bool fits(const Image& image, const device::ImageLimits& limits) {
  const std::array<uint64_t, 3>& size = image.description().size;
  switch (image.type()) {
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    return size[0] <= limits.maxBufferElements;
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return size[0] <= limits.max2D[0] && size[1] <= limits.maxLayers;
  case CL_MEM_OBJECT_IMAGE3D:
    return size[0] <= limits.max3D[0] && size[1] <= limits.max3D[1] && size[2] <= limits.max3D[2];
  default:
    return size[0] <= limits.max2D[0] && size[1] <= limits.max2D[1] &&
           (size[2] == 1 || size[2] <= limits.maxLayers);
  }
}

/// Devices of one context may differ in what they support.
Status checkDevice(const Image& image, const device::Caps& caps) {
  if (!caps.images)
    return Status::error(CL_INVALID_OPERATION, "the device of the command-queue has no images");
  if (!fits(image, caps.imageLimits))
    return Status::error(CL_INVALID_IMAGE_SIZE,
                         "the image is larger than those of the command-queue's device");
  if (!supportsFormat(caps, image.format(), image.flags(), image.type()))
    return Status::error(CL_IMAGE_FORMAT_NOT_SUPPORTED,
                         sentence("the device of the command-queue has no images with ",
                                  formatName(image.format())));
  return {};
}

} // namespace

Result<Image*> commandImage(const CommandQueue& queue, cl_mem handle) {
  QUERN_ASSIGN(MemoryObject * memory, fromHandle<MemoryObject>(handle));
  Image* image = runtime::asImage(memory);
  if (!image)
    return Status::error(CL_INVALID_MEM_OBJECT, "the memory object is not an image");
  if (&image->context() != &queue.context())
    return Status::error(CL_INVALID_CONTEXT,
                         "the image belongs to another context than the command-queue");
  // Only kernels use the elements.
  if (image->isForReadingAlone())
    return Status::error(CL_INVALID_OPERATION, "images with a stencil beside the depth, or with "
                                               "several samples, are for kernels alone");
  QUERN_TRY(checkDevice(*image, queue.device().caps()));
  return image;
}

Result<ImageRegion> parseImageRegion(const Image& image, const size_t* origin,
                                     const size_t* region) {
  if (!origin)
    return invalidValue("the origin is NULL");
  if (!region)
    return invalidValue("region is NULL");
  const std::array<uint64_t, 3>& size = image.description().size;
  ImageRegion result;
  for (size_t i = 0; i < size.size(); ++i) {
    if (region[i] == 0)
      return invalidValue(sentence("region[", i, "] is 0"));
    if (origin[i] > size[i] || region[i] > size[i] - origin[i])
      return invalidValue(sentence("the region of ", region[i], " elements at ", origin[i],
                                   " in dimension ", i, " is not inside the image, which has ",
                                   size[i], " there"));
    result.origin[i] = origin[i];
    result.size[i] = region[i];
  }
  return result;
}

Result<HostPitches> parseHostPitches(const Image& image, const std::array<uint64_t, 3>& size,
                                     size_t rowPitch, size_t slicePitch) {
  const uint64_t rowBytes = size[0] * image.elementBytes();
  if (rowPitch != 0 && rowPitch < rowBytes)
    return invalidValue(
        sentence("the row pitch ", rowPitch, " is less than a row of ", rowBytes, " bytes"));
  const uint64_t row = rowPitch ? rowPitch : rowBytes;
  const bool hasSlices = image.type() == CL_MEM_OBJECT_IMAGE3D || isImageArray(image.type());
  if (!hasSlices && slicePitch != 0)
    return invalidValue(
        sentence("the slice pitch is ", slicePitch, ", but the image has no slices"));
  const bool isLineArray = image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const uint64_t rows = isLineArray ? 1 : size[1];
  if (slicePitch != 0 && slicePitch / rows < row)
    return invalidValue(sentence("the slice pitch ", slicePitch, " is less than ", rows,
                                 " rows of ", row, " bytes"));
  const uint64_t slice = slicePitch ? slicePitch : row * rows;
  return HostPitches{isLineArray ? slice : row, slice};
}

} // namespace quern::api
