#pragma once

#include <CL/cl.h>

/// Constants of extensions that are younger than the headers of some systems that we build on.
namespace quern::api {

// cl_khr_kernel_clock
inline constexpr cl_device_info deviceKernelClockCapabilities = 0x1076;
inline constexpr cl_bitfield kernelClockScopeDevice = 1 << 0;
inline constexpr cl_bitfield kernelClockScopeWorkGroup = 1 << 1;
inline constexpr cl_bitfield kernelClockScopeSubGroup = 1 << 2;

// cl_khr_semaphore
inline constexpr cl_properties semaphoreDeviceHandleList = 0x2053;
inline constexpr cl_properties semaphoreDeviceHandleListEnd = 0;

// cl_khr_external_semaphore
inline constexpr cl_properties semaphoreExportable = 0x2054;

} // namespace quern::api
