#pragma once

#include <cstddef>
#include <cstdint>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "base/result.h"
#include "device/memory.h"
#include "runtime/context.h"
#include "runtime/device.h"

namespace quern::runtime {

/// The bytes of a buffer or an image, shared by those made of it. Where every device of the context
/// works in the host's memory they are there once; a device with memory of its own has them there,
/// and the host sees what commands bring to it. Thread-safe.
class Storage final : public RefCounted {
public:
  struct Request {
    uint64_t bytes = 0;
    /// The program's memory to be used (CL_MEM_USE_HOST_PTR), or null.
    std::byte* hostPointer = nullptr;
    /// `hostPointer` points into memory of clSVMAlloc, which all devices use where it is.
    bool usesSvm = false;
    /// What the bytes are at first, or null.
    const void* initial = nullptr;
  };
  /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE. Blocks while the first contents are brought to a
  /// device.
  static Result<Ref<Storage>> create(Context& context, const Request& request);

  /// What commands on a device of the context use.
  device::Allocation& allocation() const { return *allocation_; }
  /// The host sees what commands do without further ado.
  bool isUnified() const { return allocation_->hostPointer() != nullptr; }

  /// Where maps of byte 0 point: the same in every call. Fails with
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<std::byte*> hostMemory();

private:
  template <typename T, typename... Args> friend Ref<T> quern::makeRef(Args&&... args);
  Storage(Ref<device::Device> device, Ref<device::Allocation> allocation, std::byte* hostPointer)
      : device_(std::move(device)), allocation_(std::move(allocation)), hostPointer_(hostPointer) {}

  const Ref<device::Device> device_;
  const Ref<device::Allocation> allocation_;
  std::byte* const hostPointer_;
  /// For maps where neither the device's memory nor the program's will do.
  MutexProtected<Ref<device::Allocation>> mapped_;
};

} // namespace quern::runtime
