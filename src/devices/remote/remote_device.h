#pragma once

#include "device/device.h"
#include "devices/remote/remote_node.h"

namespace quern::remote {

/// Whether the node keeps a device as long as it runs, or only as long as it has a use here.
enum class Kept { Always, WhileUsed };

/// A device of a node, or a part of one.
class RemoteDevice final : public device::Device {
public:
  RemoteDevice(RemoteNode& node, const std::string& host, uint64_t number, device::Caps caps,
               Kept kept);
  ~RemoteDevice() override;

  Result<std::vector<Ref<device::Device>>>
  partition(const device::PartitionRequest& request) override;
  Result<Ref<device::Allocation>> allocate(const device::AllocationRequest& request) override;
  bool sharesMemoryWith(const device::Device& other) const override;
  Result<Ref<device::AddressLease>> takeAddresses(uint64_t bytes) override;
  bool canCopy(device::Allocation& source, device::Allocation& destination) override;
  void store(uint64_t address, std::span<const std::byte> bytes) override;
  Result<Ref<device::Image>> createImage(const device::ImageRequest& request) override;
  Result<Ref<device::Executable>> load(const abi::ProgramImage& image) override;
  Result<Ref<device::Queue>> createQueue(const device::QueueRequest& request) override;
  bool help() override;
  /// Times of commands are brought to the clock of this machine.
  uint64_t timestamp() const override { return now(); }

private:
  RemoteNode& node_;
  const std::string host_;
  const uint64_t number_;
  const Kept kept_;
};

} // namespace quern::remote
