#include "runtime/image.h"

#include <cstring>

#include "device/device.h"
#include "device/image_format.h"

namespace quern::runtime {

namespace {

uint64_t rowBytes(const device::ImageDescription& description) {
  return device::elementBytes(description.format) * description.size[0];
}

/// From the first byte of the first element to the last byte of the last: what follows it need not
/// exist.
uint64_t usedBytes(const device::ImageDescription& description) {
  return (description.size[2] - 1) * description.sliceStride +
         (description.size[1] - 1) * description.rowStride + rowBytes(description);
}

void copyElements(std::byte* to, const std::byte* from,
                  const device::ImageDescription& description) {
  for (uint64_t z = 0; z < description.size[2]; ++z)
    for (uint64_t y = 0; y < description.size[1]; ++y) {
      const uint64_t offset = z * description.sliceStride + y * description.rowStride;
      std::memcpy(to + offset, from + offset, rowBytes(description));
    }
}

} // namespace

Image* asImage(MemoryObject* memory) {
  return memory && memory->type() != CL_MEM_OBJECT_BUFFER ? static_cast<Image*>(memory) : nullptr;
}

Result<Ref<Image>> Image::create(Context& context, Creation creation, const Shape& shape,
                                 const void* initial) {
  const device::AllocationRequest request = {.bytes = usedBytes(shape.description),
                                             .hostMemory = creation.hostPointer,
                                             .preferHostAccess =
                                                 (creation.flags & CL_MEM_ALLOC_HOST_PTR) != 0};
  QUERN_ASSIGN(Ref<device::Allocation> allocation, context.allocate(request));
  if (creation.flags & CL_MEM_COPY_HOST_PTR)
    copyElements(allocation->hostPointer(), static_cast<const std::byte*>(initial),
                 shape.description);
  return make(context, std::move(creation), shape, {std::move(allocation), 0, nullptr});
}

Result<Ref<Image>> Image::createFrom(Buffer& buffer, Creation creation, const Shape& shape) {
  return make(buffer.context(), std::move(creation), shape,
              {buffer.allocation(), buffer.origin(), Ref<MemoryObject>(&buffer)});
}

Result<Ref<Image>> Image::createFrom(Image& image, Creation creation, const Shape& shape) {
  return make(image.context(), std::move(creation), shape,
              {image.allocation_, image.offset_, Ref<MemoryObject>(&image)});
}

Result<Ref<Image>> Image::make(Context& context, Creation creation, const Shape& shape,
                               Elements elements) {
  std::vector<OnDevice> onDevices;
  for (const Ref<Device>& device : context.devices()) {
    if (!device->caps().images)
      continue;
    QUERN_ASSIGN(
        Ref<device::Image> image,
        device->backend().createImage({shape.description, elements.allocation, elements.offset}));
    onDevices.push_back({device.get(), std::move(image)});
  }
  return makeRef<Image>(Ref<Context>(&context), std::move(creation), shape, std::move(elements),
                        std::move(onDevices));
}

Image::Image(Ref<Context> context, Creation creation, const Shape& shape, Elements elements,
             std::vector<OnDevice> onDevices)
    : MemoryObject(std::move(context), std::move(creation)), shape_(shape),
      elementBytes_(device::elementBytes(shape.description.format)),
      allocation_(std::move(elements.allocation)), offset_(elements.offset),
      source_(std::move(elements.source)), onDevices_(std::move(onDevices)) {}

Image::~Image() {
  runDestructorCallbacks(allocation_);
}

uint64_t Image::offsetOf(const std::array<uint64_t, 3>& origin) const {
  return origin[0] * elementBytes_ + origin[1] * description().rowStride +
         origin[2] * description().sliceStride;
}

uint64_t Image::handleOn(const Device& device) const {
  for (const OnDevice& place : onDevices_)
    if (place.device == &device)
      return place.image->handle();
  return 0;
}

} // namespace quern::runtime
