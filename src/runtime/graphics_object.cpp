#include "runtime/graphics_object.h"

#include <algorithm>

#include "device/device.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/work_now.h"

namespace quern::runtime {

namespace {

/// The elements of `memory`, with its first byte at `first`.
opengl::HostElements elementsAt(std::byte* first, MemoryObject& memory) {
  const Image* const image = asImage(&memory);
  if (!image)
    return {.first = first};
  return {.first = first,
          .rowStride = image->description().rowStride,
          .sliceStride = image->description().sliceStride};
}

/// Memory of the host through which the contents go where a device's memory is not the host's.
Result<Ref<device::Allocation>> allocateStaging(const Device& device, const MemoryObject& memory) {
  return device.backend().allocate({.bytes = memory.extent().bytes(), .shared = true});
}

/// Copies from the object to `place`.
Status read(const opengl::Functions& functions, const opengl::Object& object, const Device& device,
            MemoryObject& memory, const device::Place& place) {
  if (std::byte* const host = place.allocation->hostPointer())
    return object.read(functions, elementsAt(host + place.offset, memory));
  QUERN_ASSIGN(const Ref<device::Allocation> staging, allocateStaging(device, memory));
  QUERN_TRY(object.read(functions, elementsAt(staging->hostPointer(), memory)));
  return doNow(device.backend(), device::Copy{.source = {.allocation = staging.get()},
                                              .destination = place,
                                              .bytes = memory.extent().bytes()});
}

/// Copies from `place` to the object.
Status write(const opengl::Functions& functions, const opengl::Object& object, const Device& device,
             MemoryObject& memory, const device::Place& place) {
  if (std::byte* const host = place.allocation->hostPointer())
    return object.write(functions, elementsAt(host + place.offset, memory));
  QUERN_ASSIGN(const Ref<device::Allocation> staging, allocateStaging(device, memory));
  QUERN_TRY(doNow(device.backend(), device::Copy{.source = place,
                                                 .destination = {.allocation = staging.get()},
                                                 .bytes = memory.extent().bytes()}));
  return object.write(functions, elementsAt(staging->hostPointer(), memory));
}

} // namespace

GraphicsObject::~GraphicsObject() {
  group_->post([object = object_,
                onDevices = std::move(onDevices_)](const opengl::Functions& functions) mutable {
    onDevices.clear();
    object->release(functions);
  });
}

device::GraphicsObject* GraphicsObject::onDevice(const Device& device,
                                                 const MemoryObject& memory) const {
  const auto found = std::ranges::find(onDevices_, &device, &OnDevice::device);
  if (found != onDevices_.end())
    return found->object.get();
  device::GraphicsRequest request = {.name = name().name, .bytes = memory.bytes()};
  if (const Image* const image = asImage(const_cast<MemoryObject*>(&memory))) {
    request.target = object_->registeredTarget();
    request.level = static_cast<uint32_t>(name().level);
    request.image = image->description();
  }
  onDevices_.push_back(
      {&device, object_->isPlain() ? device.backend().openGraphics(request) : nullptr});
  return onDevices_.back().object.get();
}

Status GraphicsObject::acquire(const Device& device, MemoryObject& memory) const {
  Status status;
  group_->call([&](const opengl::Functions& functions) {
    status = group_->checkObjects();
    if (!status.ok())
      return;
    const device::Place place = memory.placeOn(device, 0);
    device::GraphicsObject* const shared = onDevice(device, memory);
    status = shared ? shared->copyTo(place) : read(functions, *object_, device, memory, place);
  });
  return status;
}

Status GraphicsObject::release(const Device& device, MemoryObject& memory) const {
  Status status;
  group_->call([&](const opengl::Functions& functions) {
    status = group_->checkObjects();
    if (!status.ok())
      return;
    const device::Place place = memory.placeOn(device, 0);
    device::GraphicsObject* const shared = onDevice(device, memory);
    status = shared ? shared->copyFrom(place) : write(functions, *object_, device, memory, place);
  });
  return status;
}

} // namespace quern::runtime
