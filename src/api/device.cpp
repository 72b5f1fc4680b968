#include "api/device.h"

#include <time.h>

#include "api/device_selection.h"
#include "api/handle.h"
#include "api/partition.h"
#include "runtime/device.h"
#include "runtime/platform.h"

namespace quern::api {

namespace {

using runtime::Device;

cl_ulong monotonicNanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<cl_ulong>(now.tv_sec) * 1'000'000'000u + static_cast<cl_ulong>(now.tv_nsec);
}

} // namespace

Status getDeviceIds(cl_platform_id platform, cl_device_type type, cl_uint entryCount,
                    cl_device_id* devices, cl_uint* deviceCount) {
  QUERN_ASSIGN(runtime::Platform * object, fromHandle<runtime::Platform>(platform));
  QUERN_TRY(checkDeviceType(type));
  // num_entries is zero and devices is not NULL.
  if (entryCount == 0 && devices)
    return Status::error(CL_INVALID_VALUE, "num_entries is 0 but devices is given");
  // Both num_devices and devices are NULL.
  if (!deviceCount && !devices)
    return Status::error(CL_INVALID_VALUE, "devices and num_devices are both NULL");
  const std::vector<Ref<Device>> selected = devicesOfType(*object, type);
  if (selected.empty())
    return Status::error(CL_DEVICE_NOT_FOUND,
                         sentence("the platform has no device of type ", type));
  for (cl_uint i = 0; devices && i < entryCount && i < selected.size(); ++i)
    devices[i] = toHandle(selected[i].get());
  if (deviceCount)
    *deviceCount = static_cast<cl_uint>(selected.size());
  return {};
}

Status retainDevice(cl_device_id device) {
  QUERN_ASSIGN(Device * object, fromHandle<Device>(device));
  if (!object->isRoot())
    object->retainFromApi();
  return {};
}

Status releaseDevice(cl_device_id device) {
  QUERN_ASSIGN(Device * object, fromHandle<Device>(device));
  return object->isRoot() ? Status() : release<Device>(device);
}

Status createSubDevices(cl_device_id device, const cl_device_partition_property* properties,
                        cl_uint entryCount, cl_device_id* devices, cl_uint* deviceCount) {
  QUERN_ASSIGN(Device * object, fromHandle<Device>(device));
  QUERN_ASSIGN(const Partition partition, parsePartition(*object, properties));
  QUERN_ASSIGN(const std::vector<Ref<Device>> parts,
               object->createSubDevices(partition.request, partition.properties));
  // out_devices is not NULL and num_devices is less than the number of sub-devices.
  if (devices && entryCount < parts.size())
    return Status::error(CL_INVALID_VALUE,
                         sentence("num_devices ", entryCount, " is less than the ", parts.size(),
                                  " sub-devices of the partition"));
  for (size_t i = 0; devices && i < parts.size(); ++i)
    devices[i] = publish(parts[i]);
  if (deviceCount)
    *deviceCount = static_cast<cl_uint>(parts.size());
  return {};
}

Status getDeviceAndHostTimer(cl_device_id device, cl_ulong* deviceTime, cl_ulong* hostTime) {
  QUERN_ASSIGN(Device * object, fromHandle<Device>(device));
  // host_timestamp or device_timestamp is NULL.
  if (!hostTime || !deviceTime)
    return Status::error(CL_INVALID_VALUE, "device_timestamp or host_timestamp is NULL");
  *deviceTime = object->backend().timestamp();
  *hostTime = monotonicNanoseconds();
  return {};
}

Status getHostTimer(cl_device_id device, cl_ulong* hostTime) {
  QUERN_TRY(fromHandle<Device>(device).takeStatus());
  // host_timestamp is NULL.
  if (!hostTime)
    return Status::error(CL_INVALID_VALUE, "host_timestamp is NULL");
  *hostTime = monotonicNanoseconds();
  return {};
}

} // namespace quern::api
