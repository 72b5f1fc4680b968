#include "runtime/unified_memory.h"

#include "runtime/storage.h"

namespace quern::runtime {

UnifiedAllocation::UnifiedAllocation(Creation creation, Ref<device::Allocation> memory)
    : creation_(std::move(creation)), memory_(std::move(memory)) {}

UnifiedAllocation::UnifiedAllocation(Creation creation, Ref<Storage> storage)
    : creation_(std::move(creation)), storage_(std::move(storage)),
      memory_(&storage_->hostAllocation()) {}

UnifiedAllocation::~UnifiedAllocation() = default;

void* UnifiedMemory::add(Ref<UnifiedAllocation> allocation) {
  void* const begin = allocation->begin();
  allocations_.lock()->emplace(reinterpret_cast<uint64_t>(begin), std::move(allocation));
  return begin;
}

Ref<UnifiedAllocation> UnifiedMemory::find(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  auto allocations = allocations_.lock();
  auto next = allocations->upper_bound(address);
  if (next == allocations->begin())
    return nullptr;
  const auto& [begin, allocation] = *--next;
  return address - begin < allocation->memory().bytes() ? allocation : nullptr;
}

std::vector<Ref<UnifiedAllocation>> UnifiedMemory::all() const {
  std::vector<Ref<UnifiedAllocation>> list;
  auto allocations = allocations_.lock();
  for (const auto& [begin, allocation] : *allocations)
    list.push_back(allocation);
  return list;
}

uint64_t UnifiedMemory::hostBytesFrom(const void* pointer) const {
  const Ref<UnifiedAllocation> allocation = find(pointer);
  if (!allocation || !allocation->memory().hostPointer())
    return 0;
  return allocation->memory().bytes() - allocation->offsetOf(pointer);
}

UnifiedMemoryCapabilities unifiedMemoryCapabilities(const device::Caps& caps) {
  // Memory that moves without a word needs more than copies.
  if (!(caps.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
    return {};
  constexpr cl_bitfield alone =
      CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
  constexpr cl_bitfield together = CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
  constexpr cl_bitfield all =
      alone | together | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
  const bool hasAtomics = (caps.svm & CL_DEVICE_SVM_ATOMICS) != 0;
  const cl_bitfield shared = hasAtomics ? all : alone | together;
  UnifiedMemoryCapabilities capabilities = {.shared = shared, .sharedAcrossDevices = shared};
  // Memory of the host that stays there: across a bus, atomic operations are a device's own.
  capabilities.host = caps.hostUnifiedMemory ? shared : shared & (alone | together);
  capabilities.device = caps.hostUnifiedMemory ? shared : alone;
  capabilities.system = (caps.svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ? shared : 0;
  return capabilities;
}

} // namespace quern::runtime
