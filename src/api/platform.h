#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/result.h"

namespace quern::api {

/// clGetPlatformIDs and clIcdGetPlatformIDsKHR.
Status getPlatformIds(cl_uint entryCount, cl_platform_id* platforms, cl_uint* platformCount);
Status getPlatformInfo(cl_platform_id platform, cl_platform_info name, const InfoRequest& request);
Status unloadPlatformCompiler(cl_platform_id platform);
/// clIcdSetPlatformDispatchDataKHR.
Status setPlatformDispatchData(cl_platform_id platform, void* data);
/// Checks the platform argument of functions that do nothing else with it.
Status checkPlatform(cl_platform_id platform);

/// "OpenCL 3.0 Quern 0.2.0": the version string of the platform and of every device.
std::string_view versionString();

} // namespace quern::api
