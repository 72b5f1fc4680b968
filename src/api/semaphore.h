#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/semaphore.h"

/// Semaphore objects (cl_khr_semaphore).
namespace quern::api {

Result<Ref<runtime::Semaphore>>
createSemaphoreWithProperties(cl_context context, const cl_semaphore_properties_khr* properties);
Status getSemaphoreInfo(cl_semaphore_khr semaphore, cl_semaphore_info_khr name,
                        const InfoRequest& request);
/// clGetSemaphoreHandleForTypeKHR. No kind of semaphore can be exported.
Status getSemaphoreHandle(cl_semaphore_khr semaphore, cl_device_id device,
                          cl_external_semaphore_handle_type_khr type, const InfoRequest& request);

} // namespace quern::api
