#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

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
// cl_khr_command_buffer
inline constexpr cl_device_info deviceCommandBufferSupportedQueueProperties = 0x129A;
inline constexpr cl_uint commandBufferContext = 0x1299;

// cl_khr_command_buffer_multi_device
inline constexpr cl_platform_info platformCommandBufferCapabilities = 0x0908;
inline constexpr cl_bitfield commandBufferUniversalSync = 1 << 0;
inline constexpr cl_bitfield commandBufferRemapQueues = 1 << 1;
inline constexpr cl_bitfield commandBufferAutomaticRemap = 1 << 2;
inline constexpr cl_device_info deviceCommandBufferNumSyncDevices = 0x12AB;
inline constexpr cl_device_info deviceCommandBufferSyncDevices = 0x12AC;
inline constexpr cl_bitfield commandBufferCapabilityMultipleQueue = 1 << 4;
inline constexpr cl_bitfield commandBufferDeviceSideSync = 1 << 2;

// cl_khr_command_buffer_mutable_dispatch
inline constexpr cl_uint mutableCommandPropertiesArray = 0x12A2;
inline constexpr cl_uint mutableDispatchConfig = 0; ///< a kind of update
inline constexpr cl_properties commandBufferMutableDispatchAsserts = 0x12B7;
inline constexpr cl_properties mutableDispatchAsserts = 0x12B8;
inline constexpr cl_bitfield assertNoAdditionalWorkGroups = 1 << 0;
inline constexpr cl_uint commandBufferStateFinalized = 2;

// cl_khr_external_memory
inline constexpr cl_properties memoryDeviceHandleList = 0x2051;
inline constexpr cl_device_info deviceMemoryLinearImageTypes = 0x2052;

// cl_khr_spirv_queries
inline constexpr cl_device_info deviceSpirvExtendedInstructionSets = 0x12B9;
inline constexpr cl_device_info deviceSpirvExtensions = 0x12BA;
inline constexpr cl_device_info deviceSpirvCapabilities = 0x12BB;

} // namespace quern::api
