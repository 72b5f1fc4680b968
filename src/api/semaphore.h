#pragma once

#include <array>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/semaphore.h"

/// Semaphore objects (cl_khr_semaphore, cl_khr_external_semaphore).
namespace quern::api {

Result<Ref<runtime::Semaphore>>
createSemaphoreWithProperties(cl_context context, const cl_semaphore_properties_khr* properties);
Status getSemaphoreInfo(cl_semaphore_khr semaphore, cl_semaphore_info_khr name,
                        const InfoRequest& request);
/// As which semaphores of every device can be imported and exported (cl_khr_external_semaphore).
inline constexpr std::array<cl_external_semaphore_handle_type_khr, 2> semaphoreHandleTypes = {
    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};

/// clGetSemaphoreHandleForTypeKHR. Blocks where the type is a sync file, until the signal has come.
Status getSemaphoreHandle(cl_semaphore_khr semaphore, cl_device_id device,
                          cl_external_semaphore_handle_type_khr type, const InfoRequest& request);
/// clReImportSemaphoreSyncFdKHR.
Status reImportSemaphoreSyncFd(cl_semaphore_khr semaphore, const cl_properties* properties,
                               int file);

} // namespace quern::api
