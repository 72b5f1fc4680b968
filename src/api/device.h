#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/result.h"

namespace quern::api {

Status getDeviceIds(cl_platform_id platform, cl_device_type type, cl_uint entryCount,
                    cl_device_id* devices, cl_uint* deviceCount);
Status getDeviceInfo(cl_device_id device, cl_device_info name, const InfoRequest& request);
Status retainDevice(cl_device_id device);
Status releaseDevice(cl_device_id device);
Status createSubDevices(cl_device_id device, const cl_device_partition_property* properties,
                        cl_uint entryCount, cl_device_id* devices, cl_uint* deviceCount);
Status getDeviceAndHostTimer(cl_device_id device, cl_ulong* deviceTime, cl_ulong* hostTime);
Status getHostTimer(cl_device_id device, cl_ulong* hostTime);

} // namespace quern::api
