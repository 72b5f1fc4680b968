#pragma once

#include <vector>

#include "base/ref.h"
#include "base/result.h"
#include "device/device.h"
#include "runtime/object.h"

namespace quern::runtime {

/// A root device or sub-device. Immutable, so usable from any thread. Root devices belong to the
/// Process and live as long as it does; the program's retain and release do nothing to them
/// (OpenCL 3.0, 4.3 "Querying Devices").
class Device final : public Object {
public:
  /// `partition` is the zero-terminated list that made this sub-device, empty for a root device.
  Device(Ref<device::Device> backend, Ref<Device> parent,
         std::vector<cl_device_partition_property> partition);

  device::Device& backend() const { return *backend_; }
  const device::Caps& caps() const { return backend_->caps(); }
  /// Null for a root device.
  Device* parent() const { return parent_.get(); }
  bool isRoot() const { return !parent_; }
  /// The device that this one is a part of, in the end; itself where it is a root device.
  const Device& root() const { return parent_ ? parent_->root() : *this; }
  /// CL_DEVICE_PARTITION_TYPE, without the elements that name no partition.
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }

  /// Sub-devices in order. `properties` is the program's zero-terminated list that `request` was
  /// parsed from. Fails with CL_DEVICE_PARTITION_FAILED or CL_INVALID_DEVICE_PARTITION_COUNT.
  Result<std::vector<Ref<Device>>>
  createSubDevices(const device::PartitionRequest& request,
                   const std::vector<cl_device_partition_property>& properties);

private:
  Ref<device::Device> backend_;
  Ref<Device> parent_;
  std::vector<cl_device_partition_property> partition_;
};

} // namespace quern::runtime
