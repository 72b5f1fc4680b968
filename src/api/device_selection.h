#pragma once

#include <vector>

#include <CL/cl.h>

#include "base/ref.h"
#include "base/result.h"
#include "runtime/device.h"
#include "runtime/platform.h"

namespace quern::api {

/// CL_INVALID_DEVICE_TYPE unless `type` is CL_DEVICE_TYPE_ALL or a combination of the other device
/// types.
Status checkDeviceType(cl_device_type type);

/// The root devices that a valid `type` selects. The default device is the first;
/// CL_DEVICE_TYPE_ALL leaves out custom devices.
std::vector<Ref<runtime::Device>> devicesOfType(const runtime::Platform& platform,
                                                cl_device_type type);

} // namespace quern::api
