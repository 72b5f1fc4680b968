#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ref.h"
#include "device/address_range.h"

namespace quern::device {

/// A range of a device's global memory. Freed with the last reference, by any thread.
class Allocation : public RefCounted {
public:
  /// The address that kernels use for the first byte.
  uint64_t address() const { return address_; }
  /// Where the host can read and write the same bytes, or null when it cannot.
  std::byte* hostPointer() const { return hostPointer_; }
  uint64_t bytes() const { return bytes_; }

  /// From now on it may be written to by others than commands of the device that made it.
  virtual void noteOtherWriters() {}

protected:
  Allocation(uint64_t address, std::byte* hostPointer, uint64_t bytes)
      : address_(address), hostPointer_(hostPointer), bytes_(bytes) {}
  /// Where the host and kernels use one address.
  Allocation(std::byte* data, uint64_t bytes)
      : Allocation(reinterpret_cast<uint64_t>(data), data, bytes) {}

private:
  const uint64_t address_;
  std::byte* const hostPointer_;
  const uint64_t bytes_;
};

struct AllocationRequest {
  uint64_t bytes = 0;
  /// Memory of the program to be used as it is (CL_MEM_USE_HOST_PTR), or null. Only where
  /// Caps::hostUnifiedMemory; the program keeps it valid for the lifetime of the allocation.
  std::byte* hostMemory = nullptr;
  /// The host must reach it, too, at the same address (Allocation::hostPointer), however slow that
  /// makes it for kernels. All memory is so where Caps::hostUnifiedMemory.
  bool shared = false;
  /// The first byte must be there, or null. The allocation keeps it. Only with `shared`, or where
  /// Caps::hasOwnSvm.
  Ref<AddressLease> place = nullptr;
  /// With `shared`: atomic operations of the host and of kernels on it are atomic to each other.
  /// Only where Caps::svm has CL_DEVICE_SVM_ATOMICS.
  bool atomics = false;
  /// Nothing has been written to it, and only commands of the device will, until
  /// Allocation::noteOtherWriters is called: a device may find out who reads it before.
  bool isUnwritten = false;
};

/// A point in memory of the device or in host memory: of an allocation that has a hostPointer,
/// whatever device made it, or, where `allocation` is null, of the program.
struct Place {
  Allocation* allocation = nullptr; ///< kept alive by whoever submits the command
  uint64_t offset = 0;              ///< in bytes from the start of the allocation
  std::byte* host = nullptr;
};

} // namespace quern::device
