#pragma once

#include <string_view>

#include "device/backends.h"
#include "device/device.h"
#include "devices/united/members.h"

namespace quern::united {

/// One device that stands for several: it splits the NDRange of each launch over them where the
/// footprint of the kernel says that this changes nothing.
class UnitedDevice final : public device::Device {
public:
  explicit UnitedDevice(std::vector<Ref<device::Device>> members);

  Result<std::vector<Ref<device::Device>>>
  partition(const device::PartitionRequest& request) override;
  Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request) override;
  bool canCopy(device::Allocation& source, device::Allocation& destination) override;
  void store(uint64_t address, std::span<const std::byte> bytes) override;
  Result<Ref<device::Image>> createImage(const device::ImageRequest& request) override;
  Result<Ref<device::Executable>> load(const abi::ProgramImage& image) override;
  Result<Ref<device::Queue>> createQueue(const device::QueueRequest& request) override;
  bool help() override;
  uint64_t timestamp() const override;

private:
  const Ref<Members> members_;
};

/// The united device of those that `which` names (member_choice.h), which must work with one code.
/// Fails with CL_INVALID_VALUE, and as device::Device::partition does.
Result<Ref<device::Device>> unite(std::string_view which,
                                  std::span<const device::NamedDevice> devices);

} // namespace quern::united
