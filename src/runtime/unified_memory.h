#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/mutex_protected.h"
#include "base/ref.h"
#include "device/memory.h"
#include "runtime/device.h"

namespace quern::runtime {

class Storage;

/// Memory that a program knows by a pointer, which is the address that kernels use. Immutable.
class UnifiedAllocation final : public RefCounted {
public:
  /// Coarse-grain or fine-grain shared virtual memory; memory that stays with the host; memory of
  /// one device; memory that moves to who uses it.
  enum class Kind : uint8_t { Svm, Host, Device, Shared };
  struct Creation {
    Kind kind = Kind::Svm;
    /// By a function of cl_intel_unified_shared_memory, not of shared virtual memory.
    bool isIntel = false;
    bool isFineGrain = false; ///< of shared virtual memory
    bool isReadOnly = false;  ///< kernels do not write to it
    /// The device that it is associated with, or null.
    Ref<Device> device = nullptr;
    /// CL_MEM_ALLOC_xxx_INTEL, as the program gave them.
    uint64_t flags = 0;
    /// The zero-terminated list that clSVMAllocWithPropertiesKHR was given, or empty.
    std::vector<cl_properties> properties;
  };

  UnifiedAllocation(Creation creation, Ref<device::Allocation> memory);
  /// Of shared virtual memory of which some devices have copies at the same address.
  UnifiedAllocation(Creation creation, Ref<Storage> storage);

  Kind kind() const { return creation_.kind; }
  const Device* device() const { return creation_.device.get(); }
  bool isIntel() const { return creation_.isIntel; }
  bool isFineGrain() const { return creation_.isFineGrain; }
  bool isReadOnly() const { return creation_.isReadOnly; }
  const std::vector<cl_properties>& properties() const { return creation_.properties; }
  uint64_t flags() const { return creation_.flags; }

  /// Where there are copies, the host's.
  device::Allocation& memory() const { return *memory_; }
  /// The copies; null where all use one memory.
  Storage* storage() const { return storage_.get(); }
  void* begin() const { return reinterpret_cast<void*>(memory_->address()); }
  /// In bytes, from the first byte to `pointer`, which points into it.
  uint64_t offsetOf(const void* pointer) const {
    return reinterpret_cast<uint64_t>(pointer) - memory_->address();
  }
  /// False for memory that only the device it is associated with reaches, and its sub-devices,
  /// where `device` is none of those; and for the host's, where that has no copy of it.
  bool isReachedBy(const Device& device) const {
    if (memory_->hostPointer())
      return storage_ || !device.caps().hasOwnSvm();
    return &device.root() == &creation_.device->root();
  }

private:
  ~UnifiedAllocation() override;

  const Creation creation_;
  const Ref<Storage> storage_;
  const Ref<device::Allocation> memory_;
};

/// All memory that programs know by pointers in one context. No two devices, nor a device and the
/// host, use one address for different memory. Thread-safe.
class UnifiedMemory {
public:
  /// Returns the pointer to its first byte.
  void* add(Ref<UnifiedAllocation> allocation);

  /// Gives up the allocation that begins at `pointer`, if `isMeant` says so of it; its memory
  /// is freed when no command uses it any more. Whether there was one.
  template <typename IsMeant> bool remove(const void* pointer, IsMeant&& isMeant) {
    // Freed after the lock is gone: giving memory back to the system takes time.
    Ref<UnifiedAllocation> removed;
    auto allocations = allocations_.lock();
    const auto found = allocations->find(reinterpret_cast<uint64_t>(pointer));
    if (found == allocations->end() || !isMeant(*found->second))
      return false;
    removed = std::move(found->second);
    allocations->erase(found);
    return true;
  }

  /// The allocation that `pointer` points into, or null.
  Ref<UnifiedAllocation> find(const void* pointer) const;

  std::vector<Ref<UnifiedAllocation>> all() const;

  /// How many bytes the host reaches from `pointer` to the end of its allocation; 0 outside of all.
  uint64_t hostBytesFrom(const void* pointer) const;

private:
  /// By the address of the first byte.
  mutable MutexProtected<std::map<uint64_t, Ref<UnifiedAllocation>>> allocations_;
};

/// What the program may do with memory of each kind on a device
/// (CL_UNIFIED_SHARED_MEMORY_xxx_INTEL). All zero where it has no fine-grain shared virtual memory.
struct UnifiedMemoryCapabilities {
  cl_bitfield host = 0, device = 0, shared = 0, sharedAcrossDevices = 0, system = 0;
};
UnifiedMemoryCapabilities unifiedMemoryCapabilities(const device::Caps& caps);

} // namespace quern::runtime
