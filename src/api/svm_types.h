#pragma once

#include <span>
#include <vector>

#include "api/info.h"
#include "api/newer_constants.h"
#include "base/result.h"
#include "runtime/device.h"

/// The types of memory of cl_khr_unified_svm (0.9, which is experimental): what SVM and unified
/// shared memory are, in one list that is the same for all devices.
namespace quern::api {

/// What each of `devices` that has memory of a type can do with it
/// (CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR).
std::vector<SvmCapabilities> platformSvmTypes(std::span<const Ref<runtime::Device>> devices);
/// What `device` can; 0 for a type that it does not have.
std::vector<SvmCapabilities> deviceSvmTypes(const runtime::Device& device);

Result<void*> svmAllocWithProperties(cl_context context, const cl_properties* properties,
                                     cl_uint type, size_t bytes);
Status svmFreeWithProperties(cl_context context, const cl_properties* properties, cl_bitfield flags,
                             void* pointer);
/// `device` may be null.
Status getSvmPointerInfo(cl_context context, cl_device_id device, const void* pointer, cl_uint name,
                         const InfoRequest& request);
/// CL_UINT_MAX where no type will do.
Result<cl_uint> getSvmSuggestedTypeIndex(cl_context context, SvmCapabilities required,
                                         SvmCapabilities desired, const cl_properties* properties);

} // namespace quern::api
