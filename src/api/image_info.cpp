#include "api/handle.h"
#include "api/image.h"
#include "api/image_shape.h"
#include "device/image_format.h"
#include "runtime/image.h"

namespace quern::api {

namespace {

using runtime::Image;
using runtime::MemoryObject;

bool hasRows(const Image& image) {
  return image.type() == CL_MEM_OBJECT_IMAGE2D || image.type() == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         image.type() == CL_MEM_OBJECT_IMAGE3D;
}

uint64_t layers(const Image& image) {
  if (!isImageArray(image.type()))
    return 0;
  return image.description().size[image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2];
}

#define QUERN_IMAGE(name, type, expression)                                                        \
  {name, [](const Image& image, InfoValue& value) {                                                \
     [[maybe_unused]] const device::ImageDescription& description = image.description();           \
     value.put<type>(static_cast<type>(expression));                                               \
   }}

constexpr InfoRow<Image> imageRows[] = {
    QUERN_IMAGE(CL_IMAGE_FORMAT, cl_image_format, image.format()),
    QUERN_IMAGE(CL_IMAGE_ELEMENT_SIZE, size_t, device::elementBytes(image.format())),
    QUERN_IMAGE(CL_IMAGE_ROW_PITCH, size_t, image.rowPitch()),
    QUERN_IMAGE(CL_IMAGE_SLICE_PITCH, size_t, image.slicePitch()),
    QUERN_IMAGE(CL_IMAGE_WIDTH, size_t, description.size[0]),
    QUERN_IMAGE(CL_IMAGE_HEIGHT, size_t, hasRows(image) ? description.size[1] : 0),
    QUERN_IMAGE(CL_IMAGE_DEPTH, size_t,
                image.type() == CL_MEM_OBJECT_IMAGE3D ? description.size[2] : 0),
    QUERN_IMAGE(CL_IMAGE_ARRAY_SIZE, size_t, layers(image)),
    QUERN_IMAGE(
        CL_IMAGE_BUFFER, cl_mem,
        toHandle<MemoryObject>(runtime::asImage(image.source()) ? nullptr : image.source())),
    QUERN_IMAGE(CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0),
    QUERN_IMAGE(CL_IMAGE_NUM_SAMPLES, cl_uint, description.samples),
};

#undef QUERN_IMAGE

} // namespace

Status getImageInfo(cl_mem handle, cl_image_info name, const InfoRequest& request) {
  QUERN_ASSIGN(MemoryObject * memory, fromHandle<MemoryObject>(handle));
  const Image* image = runtime::asImage(memory);
  if (!image)
    return Status::error(CL_INVALID_MEM_OBJECT, "the memory object is not an image");
  return query(std::span<const InfoRow<Image>>(imageRows), "image", *image, name, request);
}

} // namespace quern::api
