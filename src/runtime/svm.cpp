#include "runtime/svm.h"

namespace quern::runtime {

void SvmAllocations::add(Ref<device::Allocation> allocation) {
  const auto address = reinterpret_cast<uintptr_t>(allocation->hostPointer());
  allocations_.lock()->emplace(address, std::move(allocation));
}

void SvmAllocations::remove(const void* pointer) {
  // Freed after the lock is gone: giving memory back to the system takes time.
  const auto node = allocations_.lock()->extract(reinterpret_cast<uintptr_t>(pointer));
}

Ref<device::Allocation> SvmAllocations::find(const void* pointer) const {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  auto allocations = allocations_.lock();
  auto next = allocations->upper_bound(address);
  if (next == allocations->begin())
    return nullptr;
  const auto& [begin, allocation] = *--next;
  return address - begin < allocation->bytes() ? allocation : nullptr;
}

uint64_t SvmAllocations::bytesFrom(const void* pointer) const {
  const Ref<device::Allocation> allocation = find(pointer);
  if (!allocation)
    return 0;
  const auto offset = static_cast<const std::byte*>(pointer) - allocation->hostPointer();
  return allocation->bytes() - static_cast<uint64_t>(offset);
}

} // namespace quern::runtime
