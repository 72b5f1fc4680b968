#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/info.h"
#include "base/result.h"
#include "runtime/context.h"

/// Memory of cl_intel_unified_shared_memory: allocation, queries and pointers in kernels. The
/// commands on it are those on shared virtual memory (api/svm.h).
namespace quern::api {

/// Enough for every data type (long16), and what every allocation has.
inline constexpr cl_uint maxUnifiedAlignment = 128;

/// CL_INVALID_DEVICE when it is not a device of the context.
Result<Ref<runtime::Device>> deviceOf(const runtime::Context& context, cl_device_id device);
/// As Context does, but CL_OUT_OF_RESOURCES when there is no memory.
Result<Ref<runtime::UnifiedAllocation>>
allocateUnified(const runtime::Context& context, uint64_t bytes,
                runtime::UnifiedAllocation::Creation creation);

Result<void*> hostMemAlloc(cl_context context, const cl_mem_properties_intel* properties,
                           size_t bytes, cl_uint alignment);
Result<void*> deviceMemAlloc(cl_context context, cl_device_id device,
                             const cl_mem_properties_intel* properties, size_t bytes,
                             cl_uint alignment);
/// `device` may be null: then the memory is associated with none.
Result<void*> sharedMemAlloc(cl_context context, cl_device_id device,
                             const cl_mem_properties_intel* properties, size_t bytes,
                             cl_uint alignment);

/// Memory in use by commands is freed when they have ended; a pointer to it is invalid from now on.
Status memFree(cl_context context, void* pointer);
/// Waits for all commands of the context first.
Status memBlockingFree(cl_context context, void* pointer);

Status getMemAllocInfo(cl_context context, const void* pointer, cl_mem_info_intel name,
                       const InfoRequest& request);

} // namespace quern::api
