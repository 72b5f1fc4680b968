#pragma once

#include <vector>

#include <CL/cl.h>

#include "base/result.h"
#include "device/device.h"
#include "runtime/device.h"

namespace quern::api {

struct Partition {
  device::PartitionRequest request;
  /// The program's list with its terminating zero: the value of CL_DEVICE_PARTITION_TYPE.
  std::vector<cl_device_partition_property> properties;
};

/// The properties that `device` can be partitioned by, as CL_DEVICE_PARTITION_PROPERTIES lists
/// them.
std::vector<cl_device_partition_property> partitionProperties(const device::Caps& caps);

/// The properties argument of clCreateSubDevices. CL_INVALID_VALUE when the list is not valid or
/// names what the device does not support; CL_INVALID_DEVICE_PARTITION_COUNT when it asks for more
/// than there is.
Result<Partition> parsePartition(const runtime::Device& device,
                                 const cl_device_partition_property* properties);

} // namespace quern::api
