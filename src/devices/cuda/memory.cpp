#include "devices/cuda/memory.h"

#include "base/sentence.h"

namespace quern::cuda {

namespace {

class DeviceAllocation final : public device::Allocation {
public:
  DeviceAllocation(std::shared_ptr<Gpu> gpu, Address address, uint64_t bytes)
      : gpu_(std::move(gpu)), address_(address), bytes_(bytes) {}
  ~DeviceAllocation() override {
    const CurrentContext current(*gpu_);
    gpu_->api.memFree(address_);
  }
  uint64_t address() const override { return address_; }
  std::byte* hostPointer() const override { return nullptr; }
  uint64_t bytes() const override { return bytes_; }

private:
  const std::shared_ptr<Gpu> gpu_;
  const Address address_;
  const uint64_t bytes_;
};

class PinnedAllocation final : public device::Allocation {
public:
  PinnedAllocation(std::shared_ptr<Gpu> gpu, void* data, uint64_t bytes)
      : gpu_(std::move(gpu)), data_(static_cast<std::byte*>(data)), bytes_(bytes) {}
  ~PinnedAllocation() override {
    const CurrentContext current(*gpu_);
    gpu_->api.memFreeHost(data_);
  }
  uint64_t address() const override { return reinterpret_cast<uint64_t>(data_); }
  std::byte* hostPointer() const override { return data_; }
  uint64_t bytes() const override { return bytes_; }

private:
  const std::shared_ptr<Gpu> gpu_;
  std::byte* const data_;
  const uint64_t bytes_;
};

Status check(const Gpu& gpu, Error error, const device::AllocationRequest& request) {
  if (error == Error::Success)
    return {};
  size_t total = 0;
  gpu.api.deviceTotalMem(&total, gpu.number);
  const std::string memory = request.shared
                                 ? "pinned host memory"
                                 : sentence("a GPU's memory, which has ", total, " bytes");
  return gpu.check(error,
                   sentence("an allocation of ", request.bytes, " bytes of ", memory, " failed"),
                   CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

} // namespace

Result<Ref<device::Allocation>> allocate(const std::shared_ptr<Gpu>& gpu,
                                         const device::AllocationRequest& request) {
  const CurrentContext current(*gpu);
  if (request.shared) {
    void* data = nullptr;
    const Error error =
        gpu->api.memHostAlloc(&data, request.bytes, hostAllocPortable | hostAllocDeviceMap);
    QUERN_TRY(check(*gpu, error, request));
    return Ref<device::Allocation>(makeRef<PinnedAllocation>(gpu, data, request.bytes));
  }
  Address address = 0;
  const Error error = gpu->api.memAlloc(&address, request.bytes);
  QUERN_TRY(check(*gpu, error, request));
  return Ref<device::Allocation>(makeRef<DeviceAllocation>(gpu, address, request.bytes));
}

Address addressOf(const device::Place& place) {
  return place.offset +
         (place.allocation ? place.allocation->address() : reinterpret_cast<uint64_t>(place.host));
}

} // namespace quern::cuda
