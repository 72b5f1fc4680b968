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

/// The version of OpenCL that the platform and every device have.
inline constexpr cl_version openclVersion = CL_MAKE_VERSION(3, 1, 0);
/// "OpenCL 3.1 Quern 0.2.0", likewise.
std::string_view versionString();

} // namespace quern::api
