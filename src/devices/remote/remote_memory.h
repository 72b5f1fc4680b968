#pragma once

#include "device/device.h"
#include "devices/remote/remote_node.h"

namespace quern::remote {

/// Memory of a device of a node.
class RemoteAllocation final : public device::Allocation {
public:
  /// `place` is where it is, or null.
  RemoteAllocation(RemoteNode& node, uint64_t number, uint64_t address, uint64_t bytes,
                   Ref<device::AddressLease> place)
      : Allocation(address, nullptr, bytes), node_(node), number_(number),
        place_(std::move(place)) {}
  ~RemoteAllocation() override { node_.tell(cluster::Free{number_}); }

  const RemoteNode& node() const { return node_; }
  uint64_t number() const { return number_; }

private:
  RemoteNode& node_;
  const uint64_t number_;
  const Ref<device::AddressLease> place_;
};

/// Memory of the node's `device`, or of the host, where the program needs some that commands can
/// copy to and from (AllocationRequest::shared).
Result<Ref<device::Allocation>> allocate(RemoteNode& node, uint64_t device,
                                         const device::AllocationRequest& request);

Result<Ref<device::Image>> createImage(RemoteNode& node, uint64_t device,
                                       const device::ImageRequest& request);

} // namespace quern::remote
