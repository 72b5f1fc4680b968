#include "runtime/graphics_object.h"

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
  group_->post(
      [object = object_](const opengl::Functions& functions) { object->release(functions); });
}

Status GraphicsObject::acquire(const Device& device, MemoryObject& memory) const {
  Status status;
  group_->call([&](const opengl::Functions& functions) {
    status = read(functions, *object_, device, memory, memory.placeOn(device, 0));
  });
  return status;
}

Status GraphicsObject::release(const Device& device, MemoryObject& memory) const {
  Status status;
  group_->call([&](const opengl::Functions& functions) {
    status = write(functions, *object_, device, memory, memory.placeOn(device, 0));
  });
  return status;
}

} // namespace quern::runtime
