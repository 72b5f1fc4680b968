#pragma once

#include <string>
#include <vector>

#include <CL/cl.h>

#include "device/caps.h"

namespace quern::runtime {

/// Extensions of the platform: those that every device has, whatever its backend, and those of the
/// platform alone. Looks at no device.
std::vector<cl_name_version> platformExtensions();

/// Extensions of a device: what the runtime provides for every device and what the backend brings.
std::vector<cl_name_version> deviceExtensions(const device::Caps& caps);

/// The __opencl_c_xxx feature macros that kernels for the device may use (OpenCL C 3.0, 6.2.1).
std::vector<cl_name_version> openclCFeatures(const device::Caps& caps);

/// A name (at most 63 characters) and its version, as the _WITH_VERSION queries return them.
cl_name_version nameVersion(std::string_view name, cl_version version);

/// The names, separated by spaces, as the queries without version return them.
std::string joinNames(const std::vector<cl_name_version>& list);

} // namespace quern::runtime
