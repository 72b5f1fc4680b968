#include "runtime/image.h"

#include <cstring>
#include <numeric>

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
  return (description.slices() - 1) * description.sliceStride +
         (description.size[1] - 1) * description.rowStride + rowBytes(description);
}

/// The stride of the rows of a 2D image that suits every device of `context`.
uint64_t suitableRowStride(const Context& context, uint64_t rowBytes) {
  uint64_t unit = 1;
  for (const Ref<Device>& device : context.devices())
    unit = std::lcm(unit, device->caps().imageLimits.rowUnit);
  return (rowBytes + unit - 1) / unit * unit;
}

/// The rows of a 2D image, `pitch` bytes apart at `elements`, with the strides of `description`.
std::vector<std::byte> spreadRows(const device::ImageDescription& description, const void* elements,
                                  uint64_t pitch) {
  std::vector<std::byte> rows(usedBytes(description));
  for (uint64_t y = 0; y < description.size[1]; ++y)
    std::memcpy(rows.data() + y * description.rowStride,
                static_cast<const std::byte*>(elements) + y * pitch, rowBytes(description));
  return rows;
}

} // namespace

Image* asImage(MemoryObject* memory) {
  const bool isImage =
      memory && memory->type() != CL_MEM_OBJECT_BUFFER && memory->type() != CL_MEM_OBJECT_PIPE;
  return isImage ? static_cast<Image*>(memory) : nullptr;
}

Result<Ref<Image>> Image::create(Context& context, Creation creation, Shape shape,
                                 const void* initial) {
  std::vector<std::byte> spread;
  if (shape.description.type == CL_MEM_OBJECT_IMAGE2D && shape.description.samples == 0 &&
      !creation.usedMemory() && !creation.external) {
    const uint64_t given = shape.description.rowStride;
    shape.description.rowStride = suitableRowStride(context, rowBytes(shape.description));
    if (initial && shape.description.rowStride != given) {
      spread = spreadRows(shape.description, initial, given);
      initial = spread.data();
    }
  }
  QUERN_ASSIGN(Storage::Part part,
               Storage::findOrCreate(context, {.bytes = usedBytes(shape.description),
                                               .hostPointer = creation.usedMemory(),
                                               .keep = creation.external,
                                               .onDevice = creation.onDevice(),
                                               .usesSvm = creation.usesSvm,
                                               .initial = initial}));
  return make(context, std::move(creation), shape, {std::move(part.storage), part.begin, nullptr});
}

Result<Ref<Image>> Image::createFrom(Buffer& buffer, Creation creation, const Shape& shape) {
  buffer.storage()->noteOtherWriters();
  return make(buffer.context(), std::move(creation), shape,
              {buffer.storage(), buffer.extent().begin, Ref<MemoryObject>(&buffer)});
}

Result<Ref<Image>> Image::createFrom(Image& image, Creation creation, const Shape& shape) {
  return make(image.context(), std::move(creation), shape,
              {image.storage(), image.extent().begin, Ref<MemoryObject>(&image)});
}

Result<Ref<Image>> Image::make(Context& context, Creation creation, const Shape& shape,
                               Elements elements) {
  std::vector<OnDevice> onDevices;
  for (const Ref<Device>& device : context.devices()) {
    if (!device->caps().images)
      continue;
    QUERN_ASSIGN(
        Ref<device::Image> image,
        device->backend().createImage(
            {shape.description, Ref<device::Allocation>(&elements.storage->allocationOn(*device)),
             elements.offset}));
    onDevices.push_back({device.get(), std::move(image)});
  }
  return makeRef<Image>(Ref<Context>(&context), std::move(creation), shape, std::move(elements),
                        std::move(onDevices));
}

Image::Image(Ref<Context> context, Creation creation, const Shape& shape, Elements elements,
             std::vector<OnDevice> onDevices)
    : MemoryObject(std::move(context), std::move(creation), std::move(elements.storage),
                   {elements.offset, elements.offset + usedBytes(shape.description)}),
      shape_(shape), elementBytes_(device::elementBytes(shape.description.format)),
      source_(std::move(elements.source)), onDevices_(std::move(onDevices)) {}

uint64_t Image::spanOf(const Shape& shape) {
  return usedBytes(shape.description);
}

Image::~Image() {
  runDestructorCallbacks(storage());
}

uint64_t Image::offsetOf(const std::array<uint64_t, 3>& origin) const {
  return origin[0] * elementBytes_ + origin[1] * description().rowStride +
         origin[2] * description().sliceStride;
}

uint64_t Image::mappedRowPitch() const {
  // The layers of a 1D array have strides, its rows none.
  return type() == CL_MEM_OBJECT_IMAGE1D_ARRAY ? shape_.rowPitch : description().rowStride;
}

device::Work Image::moveMapped(const Device& device, const Mapping& mapping,
                               Direction direction) const {
  if (storage()->hasHostCopy())
    return device::Nothing();
  const device::Place inImage = placeOn(device, offsetOf(mapping.origin));
  const device::Place inHost = {.host = mapping.begin};
  const bool toHost = direction == Direction::ToHost;
  return device::CopyRect{
      .source = toHost ? inImage : inHost,
      .destination = toHost ? inHost : inImage,
      .sourceRowPitch = description().rowStride,
      .sourceSlicePitch = description().sliceStride,
      .destinationRowPitch = description().rowStride,
      .destinationSlicePitch = description().sliceStride,
      .region = {mapping.region[0] * elementBytes_, mapping.region[1], mapping.region[2]}};
}

ByteRange Image::bytesOf(const Mapping& mapping) const {
  const auto& [x, y, z] = mapping.region;
  const uint64_t begin = offsetOf(mapping.origin);
  return {begin, begin + offsetOf({0, y - 1, z - 1}) + x * elementBytes_};
}

uint64_t Image::handleOn(const Device& device) const {
  for (const OnDevice& place : onDevices_)
    if (place.device == &device)
      return place.image->handle();
  return 0;
}

} // namespace quern::runtime
