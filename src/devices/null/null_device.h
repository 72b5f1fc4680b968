#pragma once

#include <atomic>

#include "device/device.h"
#include "devices/null/controls.h"

namespace quern::null {

/// A device without hardware, for tests: copies, fills and native kernels are done at once on the
/// thread that submits them, kernels do nothing. It accepts any code. Its memory is the host's,
/// limited to Caps::globalMemBytes.
class NullDevice final : public device::Device {
public:
  NullDevice();

  Controls& controls() { return *controls_; }

  Result<std::vector<Ref<device::Device>>>
  partition(const device::PartitionRequest& request) override;
  Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request) override;
  Result<Ref<device::Image>> createImage(const device::ImageRequest& request) override;
  Result<Ref<device::Executable>> load(const abi::ProgramImage& image) override;
  Result<Ref<device::Queue>> createQueue(const device::QueueRequest& request) override;
  /// Nothing is ever left to do that a thread could help with.
  bool help() override { return false; }
  uint64_t timestamp() const override;

private:
  /// Shared with queues and allocations, which may live longer.
  const std::shared_ptr<Controls> controls_;
  const std::shared_ptr<std::atomic<uint64_t>> allocated_;
};

} // namespace quern::null
