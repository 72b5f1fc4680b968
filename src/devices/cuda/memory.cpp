#include "devices/cuda/memory.h"

#include "base/sentence.h"
#include "devices/cuda/pinned_ranges.h"

namespace quern::cuda {

namespace {

class PooledAllocation final : public KnownAllocation {
public:
  PooledAllocation(MemoryPool& pool, Address address, uint64_t bytes)
      : KnownAllocation(address, isPinned(pool) ? reinterpret_cast<std::byte*>(address) : nullptr,
                        bytes),
        pool_(pool) {
    if (hostPointer())
      pinnedRanges().add(hostPointer(), bytes);
  }
  ~PooledAllocation() override {
    if (hostPointer())
      pinnedRanges().remove(hostPointer());
    const CurrentContext current(pool_.gpu());
    pool_.giveBack(address(), bytes());
  }

private:
  static bool isPinned(const MemoryPool& pool) { return pool.where() == MemoryPool::Where::Host; }

  MemoryPool& pool_;
};

class ManagedAllocation final : public KnownAllocation {
public:
  ManagedAllocation(Memory& memory, Address address, uint64_t bytes)
      : KnownAllocation(reinterpret_cast<std::byte*>(address), bytes), memory_(memory) {
    pinnedRanges().add(hostPointer(), bytes);
  }
  ~ManagedAllocation() override {
    pinnedRanges().remove(hostPointer());
    const CurrentContext current(memory_.device.gpu());
    memory_.managed.giveBack(address(), bytes());
  }

private:
  Memory& memory_;
};

/// Of the host, at an address that was asked for.
class PlacedAllocation final : public KnownAllocation {
public:
  PlacedAllocation(const Gpu& gpu, Ref<device::AddressLease> place, uint64_t bytes)
      : KnownAllocation(place->data(), bytes), gpu_(gpu), place_(std::move(place)) {
    pinnedRanges().add(hostPointer(), bytes);
  }
  ~PlacedAllocation() override {
    pinnedRanges().remove(hostPointer());
    const CurrentContext current(gpu_);
    gpu_.api.memHostUnregister(hostPointer());
  }

private:
  const Gpu& gpu_;
  const Ref<device::AddressLease> place_;
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

Result<Ref<device::Allocation>> allocateAt(const Gpu& gpu,
                                           const device::AllocationRequest& request) {
  // Such addresses are the GPU's, too.
  const Error error = request.place->map()
                          ? gpu.api.memHostRegister(request.place->data(), request.bytes,
                                                    hostRegisterPortable | hostRegisterDeviceMap)
                          : Error::OutOfMemory;
  QUERN_TRY(check(gpu, error, request));
  return Ref<device::Allocation>(makeRef<PlacedAllocation>(gpu, request.place, request.bytes));
}

} // namespace

Result<Ref<device::Allocation>> allocate(Memory& memory, const device::AllocationRequest& request) {
  const Gpu& gpu = memory.device.gpu();
  const CurrentContext current(gpu);
  if (request.place)
    return allocateAt(gpu, request);
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
  return Ref<device::Allocation>(makeRef<PooledAllocation>(pool, address, request.bytes));
}

Address addressOf(const device::Place& place) {
  return place.offset +
         (place.allocation ? place.allocation->address() : reinterpret_cast<uint64_t>(place.host));
}

} // namespace quern::cuda
