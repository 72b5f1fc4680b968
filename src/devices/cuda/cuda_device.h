#pragma once

#include "device/device.h"
#include "devices/cuda/completion.h"
#include "devices/cuda/stream.h"

namespace quern::cuda {

/// A GPU.
class CudaDevice final : public device::Device {
public:
  /// `engine` lives as long as the process.
  explicit CudaDevice(Engine& engine);

  Result<std::vector<Ref<device::Device>>>
  partition(const device::PartitionRequest& request) override;
  Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request) override;
  Result<Ref<device::Allocation>> importMemory(int file, uint64_t bytes) override;
  Result<Ref<device::Semaphore>> importSemaphore(int file) override;
  bool canCopy(device::Allocation& source, device::Allocation& destination) override;
  void store(uint64_t address, std::span<const std::byte> bytes) override;
  Result<Ref<device::Image>> createImage(const device::ImageRequest& request) override;
  Result<Ref<device::Executable>> load(const abi::ProgramImage& image) override;
  Result<Ref<device::Queue>> createQueue(const device::QueueRequest& request) override;
  bool drawsCurrentOpenGl() override;
  Ref<device::GraphicsObject> openGraphics(const device::GraphicsRequest& request) override;
  Result<Ref<device::Graph>> createGraph(std::vector<device::Graph::Node> work,
                                         std::shared_ptr<const device::GraphOrder> order,
                                         const device::Graph* earlier) override;
  bool help() override { return engine_.completion->help(); }
  uint64_t timestamp() const override { return now(); }

private:
  Engine& engine_;
};

} // namespace quern::cuda
