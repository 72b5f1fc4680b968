#include "devices/cuda/cuda_device.h"

#include "base/log.h"
#include "base/sentence.h"
#include "devices/cuda/caps.h"
#include "devices/cuda/enumerate.h"
#include "devices/cuda/executable.h"
#include "devices/cuda/external.h"
#include "devices/cuda/graph.h"
#include "devices/cuda/graphics.h"
#include "devices/cuda/memory.h"

namespace quern::cuda {

namespace {

/// The engines of the machine's GPUs. Never destroyed: commands may still run while the process
/// ends. A child of fork() cannot use CUDA when its parent did: cuInit says so there.
std::vector<Engine*> openEngines(const DriverApi& api) {
  std::vector<Engine*> engines;
  int count = 0;
  if (api.deviceGetCount(&count) != Error::Success)
    return engines;
  for (int ordinal = 0; ordinal < count; ++ordinal)
    if (DeviceNumber number; api.deviceGet(&number, ordinal) == Error::Success)
      engines.push_back(new Engine(std::make_shared<Gpu>(api, number)));
  return engines;
}

} // namespace

CudaDevice::CudaDevice(Engine& engine) : Device(makeCaps(*engine.gpu)), engine_(engine) {}

Result<std::vector<Ref<device::Device>>> CudaDevice::partition(const device::PartitionRequest&) {
  return Status::error(CL_DEVICE_PARTITION_FAILED, "a GPU cannot be split");
}

Result<Ref<device::Allocation>> CudaDevice::allocate(const device::AllocationRequest& request) {
  QUERN_TRY(engine_.gpu->open());
  return cuda::allocate(engine_.memory, request);
}

Result<Ref<device::Allocation>> CudaDevice::importMemory(int file, uint64_t bytes) {
  QUERN_TRY(engine_.gpu->open());
  return cuda::importMemory(*engine_.gpu, file, bytes);
}

Result<Ref<device::Semaphore>> CudaDevice::importSemaphore(int file) {
  QUERN_TRY(engine_.gpu->open());
  return cuda::importSemaphore(*engine_.gpu, file);
}

bool CudaDevice::canCopy(device::Allocation& source, device::Allocation& destination) {
  const auto isKnown = [](device::Allocation& allocation) {
    return allocation.hostPointer() || dynamic_cast<KnownAllocation*>(&allocation);
  };
  return isKnown(source) && isKnown(destination);
}

/// The default stream waits for no other, and no other for it.
void CudaDevice::store(uint64_t address, std::span<const std::byte> bytes) {
  const Gpu& gpu = *engine_.gpu;
  const CurrentContext current(gpu);
  Error error =
      gpu.api.memcpyAsync(address, reinterpret_cast<Address>(bytes.data()), bytes.size(), nullptr);
  if (error == Error::Success)
    error = gpu.api.streamSynchronize(nullptr);
  if (error != Error::Success)
    log::error(gpu.check(error, "the GPU cannot write at an address that a kernel has given",
                         CL_OUT_OF_RESOURCES)
                   .sentence());
}

Result<Ref<device::Image>> CudaDevice::createImage(const device::ImageRequest& request) {
  QUERN_TRY(engine_.gpu->open());
  return engine_.images.create(request);
}

Result<Ref<device::Executable>> CudaDevice::load(const abi::ProgramImage& image) {
  QUERN_TRY(engine_.gpu->open());
  return Executable::load(engine_.gpu, image);
}

bool CudaDevice::drawsCurrentOpenGl() {
  return engine_.gpu->open().ok() && cuda::drawsCurrentOpenGl(*engine_.gpu);
}

Ref<device::GraphicsObject> CudaDevice::openGraphics(const device::GraphicsRequest& request) {
  return engine_.gpu->open().ok() ? cuda::openGraphics(*engine_.gpu, request) : nullptr;
}

Result<Ref<device::Queue>> CudaDevice::createQueue(const device::QueueRequest& request) {
  QUERN_TRY(engine_.gpu->open());
  return Stream::create(engine_, request);
}

Result<Ref<device::Graph>> CudaDevice::createGraph(std::vector<device::Graph::Node> work,
                                                   std::shared_ptr<const device::GraphOrder> order,
                                                   const device::Graph* earlier) {
  QUERN_TRY(engine_.gpu->open());
  return Graph::create(engine_.gpu, std::move(work), std::move(order),
                       static_cast<const Graph*>(earlier));
}

std::vector<Ref<device::Device>> enumerate() {
  const DriverApi* api = DriverApi::load();
  if (!api)
    return {};
  if (const Error error = api->init(0); error != Error::Success) {
    log::info(
        sentence("the NVIDIA driver offers no GPU: cuInit returned ", static_cast<int>(error)));
    return {};
  }
  static const auto* const engines = new std::vector<Engine*>(openEngines(*api));
  std::vector<Ref<device::Device>> devices;
  for (Engine* engine : *engines)
    devices.push_back(makeRef<CudaDevice>(*engine));
  return devices;
}

} // namespace quern::cuda
