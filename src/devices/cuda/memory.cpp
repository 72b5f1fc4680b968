#include "devices/cuda/memory.h"

#include "base/sentence.h"
#include "devices/cuda/pinned_ranges.h"

namespace quern::cuda {

namespace {

class Allocation final : public device::Allocation {
public:
  Allocation(MemoryPool& pool, Address address, uint64_t bytes)
      : pool_(pool), address_(address), bytes_(bytes) {
    if (isPinned())
      pinnedRanges().add(hostPointer(), bytes_);
  }
  ~Allocation() override {
    if (isPinned())
      pinnedRanges().remove(hostPointer());
    const CurrentContext current(pool_.gpu());
    pool_.giveBack(address_, bytes_);
  }
  uint64_t address() const override { return address_; }
  std::byte* hostPointer() const override {
    return isPinned() ? reinterpret_cast<std::byte*>(address_) : nullptr;
  }
  uint64_t bytes() const override { return bytes_; }

private:
  bool isPinned() const { return pool_.where() == MemoryPool::Where::Host; }

  MemoryPool& pool_;
  const Address address_;
  const uint64_t bytes_;
};

class ManagedAllocation final : public device::Allocation {
public:
  ManagedAllocation(Memory& memory, Address address, uint64_t bytes)
      : memory_(memory), address_(address), bytes_(bytes) {
    pinnedRanges().add(hostPointer(), bytes_);
  }
  ~ManagedAllocation() override {
    pinnedRanges().remove(hostPointer());
    const CurrentContext current(memory_.device.gpu());
    memory_.managed.giveBack(address_, bytes_);
  }
  uint64_t address() const override { return address_; }
  std::byte* hostPointer() const override { return reinterpret_cast<std::byte*>(address_); }
  uint64_t bytes() const override { return bytes_; }

private:
  Memory& memory_;
  const Address address_;
  const uint64_t bytes_;
};

Status check(const Gpu& gpu, Error error, const device::AllocationRequest& request) {
  if (error == Error::Success)
    return {};
  size_t total = 0;
  gpu.api.deviceTotalMem(&total, gpu.number);
  const std::string memory = request.shared && !request.atomics
                                 ? "pinned host memory"
                                 : sentence("a GPU's memory, which has ", total, " bytes");
  return gpu.check(error,
                   sentence("an allocation of ", request.bytes, " bytes of ", memory, " failed"),
                   CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

} // namespace

Result<Ref<device::Allocation>> allocate(Memory& memory, const device::AllocationRequest& request) {
  const Gpu& gpu = memory.device.gpu();
  const CurrentContext current(gpu);
  Address address = 0;
  if (request.shared && request.atomics) {
    QUERN_TRY(check(gpu, memory.managed.take(address, request.bytes), request));
    return Ref<device::Allocation>(makeRef<ManagedAllocation>(memory, address, request.bytes));
  }
  MemoryPool& pool = request.shared ? memory.host : memory.device;
  const Error error = request.shared || memory.managed.leaves(request.bytes)
                          ? pool.take(address, request.bytes)
                          : Error::OutOfMemory;
  QUERN_TRY(check(gpu, error, request));
  return Ref<device::Allocation>(makeRef<Allocation>(pool, address, request.bytes));
}

Address addressOf(const device::Place& place) {
  return place.offset +
         (place.allocation ? place.allocation->address() : reinterpret_cast<uint64_t>(place.host));
}

} // namespace quern::cuda
