#include "devices/null/null_device.h"

#include <cstdlib>
#include <string>

#include "devices/null/enumerate.h"
#include "devices/null/transfer.h"

namespace quern::null {

namespace {

constexpr uint64_t memoryBytes = 1 << 30;
constexpr size_t maxWorkGroupSize = 1024;
constexpr uint64_t alignment = 128;

device::Caps makeCaps() {
  device::Caps caps;
  caps.type = CL_DEVICE_TYPE_ACCELERATOR;
  caps.name = "Null device";
  caps.vendor = "Quern";
  caps.driverVersion = "0";
  caps.uuid = {'q', 'u', 'e', 'r', 'n', '-', 'n', 'u', 'l', 'l'};
  caps.clockMHz = 1;
  caps.globalMemBytes = memoryBytes;
  caps.maxAllocBytes = memoryBytes;
  caps.localMemBytes = 64 << 10;
  caps.maxConstantBufferBytes = 1 << 20;
  caps.maxConstantArguments = 8;
  caps.maxArgumentBytes = 4096;
  caps.baseAddressAlignBits = alignment * 8;
  caps.printfBufferBytes = 1 << 20;
  caps.hostUnifiedMemory = true;
  caps.maxWorkItemSizes = {maxWorkGroupSize, maxWorkGroupSize, maxWorkGroupSize};
  caps.maxWorkGroupSize = maxWorkGroupSize;
  caps.singleFp = CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
  caps.atomicMemory = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  caps.atomicFence = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                     CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  caps.nativeKernels = true;
  // Programs compile for the plainest machine there is; the code is never run.
  caps.target.description = "x86_64;cpu=x86-64;features=";
  caps.target.features = {
      "cl_khr_byte_addressable_store",        "cl_khr_global_int32_base_atomics",
      "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
      "cl_khr_local_int32_extended_atomics",  "__opencl_c_int64"};
  return caps;
}

class NullAllocation final : public device::Allocation {
public:
  NullAllocation(std::byte* data, uint64_t bytes, std::shared_ptr<std::atomic<uint64_t>> ledger)
      : Allocation(data, bytes), ledger_(std::move(ledger)) {}
  ~NullAllocation() override {
    if (!ledger_)
      return; // the program's memory
    std::free(hostPointer());
    ledger_->fetch_sub(bytes());
  }

private:
  const std::shared_ptr<std::atomic<uint64_t>> ledger_;
};

class NullExecutable final : public device::Executable {
public:
  explicit NullExecutable(std::vector<abi::KernelDescription> kernels)
      : kernels_(std::move(kernels)) {}

  device::KernelLimits limits(uint32_t kernel) const override {
    return {.maxWorkGroupSize = maxWorkGroupSize,
            .preferredWorkGroupMultiple = 1,
            .localBytes = kernels_[kernel].localBytes,
            .privateBytes = kernels_[kernel].privateBytes};
  }
  Status checkLaunch(uint32_t, const device::NdRange&, uint64_t) const override { return {}; }
  std::array<uint64_t, 3> suggestLocalSize(uint32_t, const device::NdRange&, bool) const override {
    return {1, 1, 1};
  }

private:
  const std::vector<abi::KernelDescription> kernels_;
};

class NullQueue final : public device::Queue {
public:
  explicit NullQueue(std::shared_ptr<Controls> controls)
      : Queue(/*keepsTheOrder=*/false), controls_(std::move(controls)) {}
  void submit(device::Command& command) override {
    const std::shared_ptr<Controls> controls = controls_; // the command may release this queue
    controls->submit(command);
  }
  void flush() override {}

private:
  const std::shared_ptr<Controls> controls_;
};

} // namespace

NullDevice::NullDevice()
    : Device(makeCaps()), controls_(std::make_shared<Controls>()),
      allocated_(std::make_shared<std::atomic<uint64_t>>(0)) {}

Result<std::vector<Ref<device::Device>>> NullDevice::partition(const device::PartitionRequest&) {
  QUERN_TRY(controls_->check(Operation::Partition));
  return Status::error(CL_DEVICE_PARTITION_FAILED, "the null device has one compute unit");
}

Result<Ref<device::Allocation>> NullDevice::allocate(const device::AllocationRequest& request) {
  QUERN_TRY(controls_->check(Operation::Allocate));
  if (request.hostMemory)
    return Ref<device::Allocation>(
        makeRef<NullAllocation>(request.hostMemory, request.bytes, nullptr));
  const bool fits = request.bytes <= memoryBytes &&
                    allocated_->fetch_add(request.bytes) + request.bytes <= memoryBytes;
  void* const data =
      fits ? std::aligned_alloc(alignment, (request.bytes + alignment - 1) / alignment * alignment)
           : nullptr;
  if (!data) {
    if (request.bytes <= memoryBytes)
      allocated_->fetch_sub(request.bytes);
    return Status::error(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         "an allocation of " + std::to_string(request.bytes) +
                             " bytes is too large: the null device has " +
                             std::to_string(memoryBytes) + " bytes");
  }
  return Ref<device::Allocation>(
      makeRef<NullAllocation>(static_cast<std::byte*>(data), request.bytes, allocated_));
}

Result<Ref<device::Image>> NullDevice::createImage(const device::ImageRequest&) {
  return Status::error(CL_INVALID_OPERATION, "the null device has no images");
}

Result<Ref<device::Executable>> NullDevice::load(const abi::ProgramImage& image) {
  QUERN_TRY(controls_->check(Operation::Load));
  return Ref<device::Executable>(makeRef<NullExecutable>(image.kernels));
}

Result<Ref<device::Queue>> NullDevice::createQueue(const device::QueueRequest&) {
  QUERN_TRY(controls_->check(Operation::CreateQueue));
  return Ref<device::Queue>(makeRef<NullQueue>(controls_));
}

uint64_t NullDevice::timestamp() const {
  return null::timestamp();
}

std::vector<Ref<device::Device>> enumerate() {
  return {makeRef<NullDevice>()};
}

} // namespace quern::null
