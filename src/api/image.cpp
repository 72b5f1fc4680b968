#include "api/image.h"

#include <algorithm>
#include <unistd.h>

#include "api/external_memory.h"
#include "api/handle.h"
#include "api/image_formats.h"
#include "api/image_shape.h"
#include "api/memory_flags.h"
#include "device/image_format.h"
#include "runtime/image.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::Context;
using runtime::Image;
using runtime::MemoryObject;

/// The arguments of clCreateImageWithProperties, as far as they are checked.
struct ImageRequest {
  Context& context;
  cl_mem_flags flags;
  cl_image_format format;
  const cl_image_desc* description;
  void* hostPointer;
  const MemoryProperties& properties;
};

/// The format is one that no device has for this kind of image and access.
Status checkSupported(const ImageRequest& request, cl_mem_flags flags) {
  const cl_mem_object_type type = request.description->image_type;
  const auto supports = [&](const Ref<runtime::Device>& device) {
    return supportsFormat(device->caps(), request.format, flags, type);
  };
  if (std::ranges::none_of(request.context.devices(), supports))
    return Status::error(CL_IMAGE_FORMAT_NOT_SUPPORTED,
                         sentence("no device has images with ", formatName(request.format),
                                  " of this type for this access"));
  return {};
}

Result<Ref<MemoryObject>> createWithMemory(const ImageRequest& request) {
  const bool isExternal = request.properties.handle.has_value();
  QUERN_TRY(checkFlags(request.flags));
  if (isExternal)
    QUERN_TRY(checkOnlyHandle(request.flags));
  QUERN_ASSIGN(const Image::Shape shape,
               parseShape(request.context, request.format, request.description,
                          request.hostPointer || isExternal));
  QUERN_TRY(isExternal ? checkNoHostPointer(request.hostPointer)
                       : checkHostPointer(request.context, request.flags, request.hostPointer));
  QUERN_TRY(checkSupported(request, request.flags));
  MemoryObject::Creation creation = {.type = shape.description.type,
                                     .flags = request.flags,
                                     .bytes = memoryBytes(shape),
                                     .properties = request.properties.list};
  if (!(creation.flags & kernelAccessFlags))
    creation.flags |= CL_MEM_READ_WRITE;
  if (request.flags & CL_MEM_USE_HOST_PTR) {
    creation.hostPointer = static_cast<std::byte*>(request.hostPointer);
    const uint64_t svmBytes = request.context.unifiedMemory().hostBytesFrom(request.hostPointer);
    if (svmBytes != 0 && Image::spanOf(shape) > svmBytes)
      return Status::error(CL_INVALID_HOST_PTR,
                           sentence("an image of ", Image::spanOf(shape),
                                    " bytes is larger than the ", svmBytes,
                                    " bytes of shared virtual memory at host_ptr"));
    creation.usesSvm = svmBytes != 0;
  }
  if (isExternal) {
    QUERN_ASSIGN(creation.external, importMemory(request.context, request.properties,
                                                 Image::spanOf(shape), CL_INVALID_IMAGE_SIZE));
  }
  QUERN_ASSIGN(Ref<MemoryObject> image,
               Image::create(request.context, std::move(creation), shape, request.hostPointer));
  if (isExternal)
    close(request.properties.handle->file);
  return image;
}

/// What an image made of another memory object inherits from it.
MemoryObject::Creation inherit(const ImageRequest& request, const MemoryObject& source,
                               const Image::Shape& shape) {
  return {.type = shape.description.type,
          .flags = inheritFlags(source.flags(), request.flags),
          .bytes = memoryBytes(shape),
          .hostPointer = source.hostPointer(),
          .usesSvm = source.usesSvm(),
          .properties = request.properties.list};
}

/// No host pointer may be given besides the memory object.
Status checkShared(const ImageRequest& request, const MemoryObject& source) {
  QUERN_TRY(checkFlagsOfPart("image", source.flags(), request.flags));
  return checkHostPointer(request.context, 0, request.hostPointer);
}

/// The pitch alignment that the devices of the context need, in bytes; 0 when none makes images of
/// buffers.
uint64_t pitchAlignment(const ImageRequest& request) {
  uint64_t alignment = 0;
  for (const Ref<runtime::Device>& device : request.context.devices())
    alignment = std::max<uint64_t>(alignment, device->caps().imageLimits.pitchAlignment);
  return alignment * device::elementBytes(request.format);
}

Result<Ref<MemoryObject>> createFromBuffer(const ImageRequest& request, Buffer& buffer) {
  QUERN_TRY(checkShared(request, buffer));
  const cl_mem_object_type type = request.description->image_type;
  if (type != CL_MEM_OBJECT_IMAGE1D_BUFFER && type != CL_MEM_OBJECT_IMAGE2D)
    return invalidDescriptor(sentence("an image of type ", type, " cannot be made of a buffer"));
  QUERN_ASSIGN(const Image::Shape shape,
               parseShape(request.context, request.format, request.description, true));
  // The row pitch does not suit the devices.
  const uint64_t alignment = pitchAlignment(request);
  if (type == CL_MEM_OBJECT_IMAGE2D && (alignment == 0 || shape.rowPitch % alignment != 0))
    return Status::error(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                         sentence("row pitch ", shape.rowPitch, " is not a multiple of ", alignment,
                                  " bytes (CL_DEVICE_IMAGE_PITCH_ALIGNMENT)"));
  // The buffer is too small.
  if (memoryBytes(shape) > buffer.bytes())
    return Status::error(CL_INVALID_IMAGE_SIZE,
                         sentence("the image needs ", memoryBytes(shape),
                                  " bytes, but the buffer has ", buffer.bytes()));
  MemoryObject::Creation creation = inherit(request, buffer, shape);
  QUERN_TRY(checkSupported(request, creation.flags));
  QUERN_ASSIGN(Ref<MemoryObject> image, Image::createFrom(buffer, std::move(creation), shape));
  return image;
}

/// Whether elements of order `from` can be seen as of order `to`.
bool isCompatible(cl_channel_order to, cl_channel_order from) {
  constexpr std::pair<cl_channel_order, cl_channel_order> bothWays[] = {{CL_sBGRA, CL_BGRA},
                                                                        {CL_sRGBA, CL_RGBA}};
  for (const auto& [srgb, linear] : bothWays)
    if ((to == srgb && from == linear) || (to == linear && from == srgb))
      return true;
  return to == CL_DEPTH && from == CL_R;
}

Result<Ref<MemoryObject>> createFromImage(const ImageRequest& request, Image& source) {
  QUERN_TRY(checkShared(request, source));
  if (request.description->image_type != CL_MEM_OBJECT_IMAGE2D ||
      source.type() != CL_MEM_OBJECT_IMAGE2D)
    return invalidDescriptor("only a 2D image can be made of an image, of a 2D image");
  QUERN_ASSIGN(Image::Shape shape,
               parseShape(request.context, request.format, request.description, true));
  // The format differs in more than a compatible order.
  const cl_image_format& other = source.format();
  if (request.format.image_channel_data_type != other.image_channel_data_type ||
      !isCompatible(request.format.image_channel_order, other.image_channel_order))
    return Status::error(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        sentence(formatName(request.format), " cannot be a view of ", formatName(other)));
  // A size or pitch that is given differs.
  const bool samePitch = request.description->image_row_pitch == 0 ||
                         request.description->image_row_pitch == source.rowPitch();
  if (shape.description.size != source.description().size || !samePitch)
    return invalidDescriptor("image_desc differs from that of the image in mem_object");
  shape.rowPitch = source.rowPitch();
  shape.description.rowStride = source.description().rowStride;
  MemoryObject::Creation creation = inherit(request, source, shape);
  QUERN_TRY(checkSupported(request, creation.flags));
  QUERN_ASSIGN(Ref<MemoryObject> image, Image::createFrom(source, std::move(creation), shape));
  return image;
}

Result<Ref<MemoryObject>> createFromObject(const ImageRequest& request) {
  QUERN_ASSIGN(MemoryObject * source, fromHandle<MemoryObject>(request.description->mem_object,
                                                               CL_INVALID_IMAGE_DESCRIPTOR));
  if (&source->context() != &request.context)
    return invalidDescriptor("mem_object belongs to another context");
  if (Image* image = runtime::asImage(source))
    return createFromImage(request, *image);
  return createFromBuffer(request, static_cast<Buffer&>(*source));
}

Result<Ref<MemoryObject>> create(const ImageRequest& request) {
  // The format exists, but its elements are nothing that any device here could hold.
  if (device::isForeignOrder(request.format.image_channel_order))
    return Status::error(CL_IMAGE_FORMAT_NOT_SUPPORTED,
                         sentence("no device has images with ", formatName(request.format)));
  // External memory is not that of another object.
  if (request.properties.handle && request.description && request.description->mem_object)
    return invalidDescriptor("mem_object is given besides external memory");
  if (request.description && request.description->mem_object)
    return createFromObject(request);
  if (request.description && request.description->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return invalidDescriptor("an image of type CL_MEM_OBJECT_IMAGE1D_BUFFER needs a buffer");
  return createWithMemory(request);
}

} // namespace

Result<Ref<MemoryObject>> createImage(cl_context handle, const cl_mem_properties* properties,
                                      cl_mem_flags flags, const cl_image_format* format,
                                      const cl_image_desc* description, void* hostPointer) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // No device has images.
  if (!hasImages(*context))
    return Status::error(CL_INVALID_OPERATION, "no device of the context has images");
  QUERN_ASSIGN(const MemoryProperties given, parseMemoryProperties(*context, properties));
  if (given.hasKnownAddress)
    return Status::error(CL_INVALID_PROPERTY,
                         "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is not a property of an image");
  QUERN_TRY(checkFlags(flags));
  QUERN_TRY(checkFormat(format));
  return create({*context, flags, *format, description, hostPointer, given});
}

Result<Ref<MemoryObject>> createPlainImage(cl_context context, cl_mem_flags flags,
                                           const cl_image_format* format,
                                           const cl_image_desc& description, void* hostPointer) {
  QUERN_TRY(fromHandle<Context>(context).takeStatus());
  // A 3D image of one slice, which later versions allow.
  if (description.image_type == CL_MEM_OBJECT_IMAGE3D && description.image_depth <= 1)
    return Status::error(CL_INVALID_IMAGE_SIZE, sentence("image_depth ", description.image_depth,
                                                         " is too small: it must be at least 2"));
  auto image = createImage(context, nullptr, flags, format, &description, hostPointer);
  if (!image.ok() && image.status().code() == CL_INVALID_IMAGE_DESCRIPTOR)
    return Status::error(CL_INVALID_IMAGE_SIZE, image.status().sentence());
  return image;
}

} // namespace quern::api
