#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

/// Constants of extensions that are younger than the headers of some systems that we build on.
namespace quern::api {

// cl_ext_float_atomics
inline constexpr cl_device_info deviceSingleFpAtomicCapabilities = 0x4231;
inline constexpr cl_device_info deviceDoubleFpAtomicCapabilities = 0x4232;
inline constexpr cl_device_info deviceHalfFpAtomicCapabilities = 0x4233;
inline constexpr cl_bitfield globalFpAtomicLoadStore = 1 << 0;
inline constexpr cl_bitfield globalFpAtomicAdd = 1 << 1;
inline constexpr cl_bitfield globalFpAtomicMinMax = 1 << 2;
inline constexpr cl_bitfield localFpAtomicLoadStore = 1 << 16;
inline constexpr cl_bitfield localFpAtomicAdd = 1 << 17;
inline constexpr cl_bitfield localFpAtomicMinMax = 1 << 18;

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

// cl_ext_buffer_device_address
using MemoryDeviceAddress = cl_ulong; ///< cl_mem_device_address_ext
inline constexpr cl_mem_properties memoryDevicePrivateAddress = 0x5000;
inline constexpr cl_mem_info memoryDeviceAddress = 0x5001;
inline constexpr cl_kernel_exec_info kernelExecInfoDevicePointers = 0x5002;

// cl_khr_unified_svm
inline constexpr cl_platform_info platformSvmTypeCapabilities = 0x0909;
inline constexpr cl_device_info deviceSvmTypeCapabilities = 0x1077;
using SvmCapabilities = cl_bitfield; ///< cl_svm_capabilities_khr
inline constexpr SvmCapabilities svmSingleAddressSpace = 1 << 0;
inline constexpr SvmCapabilities svmSystemAllocated = 1 << 1;
inline constexpr SvmCapabilities svmDeviceOwned = 1 << 2;
inline constexpr SvmCapabilities svmDeviceUnassociated = 1 << 3;
inline constexpr SvmCapabilities svmContextAccess = 1 << 4;
inline constexpr SvmCapabilities svmHostOwned = 1 << 5;
inline constexpr SvmCapabilities svmHostRead = 1 << 6;
inline constexpr SvmCapabilities svmHostWrite = 1 << 7;
inline constexpr SvmCapabilities svmHostMap = 1 << 8;
inline constexpr SvmCapabilities svmDeviceRead = 1 << 9;
inline constexpr SvmCapabilities svmDeviceWrite = 1 << 10;
inline constexpr SvmCapabilities svmDeviceAtomics = 1 << 11;
inline constexpr SvmCapabilities svmConcurrentAccess = 1 << 12;
inline constexpr SvmCapabilities svmConcurrentAtomics = 1 << 13;
inline constexpr SvmCapabilities svmIndirectAccess = 1 << 14;
inline constexpr SvmCapabilities svmAllCapabilities = (1 << 15) - 1;
inline constexpr cl_properties svmAllocAssociatedDevice = 0x2078;
inline constexpr cl_properties svmAllocAccessFlags = 0x2079;
inline constexpr cl_properties svmAllocAlignment = 0x207A;
inline constexpr cl_bitfield svmAccessHostNoRead = 1 << 0;
inline constexpr cl_bitfield svmAccessHostNoWrite = 1 << 1;
inline constexpr cl_bitfield svmAccessDeviceNoRead = 1 << 8;
inline constexpr cl_bitfield svmAccessDeviceNoWrite = 1 << 9;
inline constexpr cl_uint svmInfoTypeIndex = 0x2088;
inline constexpr cl_uint svmInfoCapabilities = 0x2089;
inline constexpr cl_uint svmInfoProperties = 0x208A;
inline constexpr cl_uint svmInfoAccessFlags = 0x208B;
inline constexpr cl_uint svmInfoBasePointer = 0x419B;
inline constexpr cl_uint svmInfoSize = 0x419C;
inline constexpr cl_uint svmInfoAssociatedDevice = 0x419D;
inline constexpr cl_kernel_exec_info kernelExecInfoSvmIndirectAccess = 0x11BB;

// cl_khr_spirv_queries
inline constexpr cl_device_info deviceSpirvExtendedInstructionSets = 0x12B9;
inline constexpr cl_device_info deviceSpirvExtensions = 0x12BA;
inline constexpr cl_device_info deviceSpirvCapabilities = 0x12BB;

} // namespace quern::api
