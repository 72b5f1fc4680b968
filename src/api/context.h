#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/context.h"

namespace quern::api {

Result<Ref<runtime::Context>> createContext(const cl_context_properties* properties,
                                            cl_uint deviceCount, const cl_device_id* devices,
                                            runtime::Context::Notify notify);
Result<Ref<runtime::Context>> createContextFromType(const cl_context_properties* properties,
                                                    cl_device_type type,
                                                    runtime::Context::Notify notify);
Status getContextInfo(cl_context context, cl_context_info name, const InfoRequest& request);
Status setContextDestructorCallback(cl_context context,
                                    runtime::Context::DestructorFunction function, void* userData);

} // namespace quern::api
