#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/memory.h"

namespace quern::api {

/// clCreatePipe. Published as a MemoryObject.
Result<Ref<runtime::MemoryObject>> createPipe(cl_context context, cl_mem_flags flags,
                                              cl_uint packetBytes, cl_uint capacity,
                                              const cl_pipe_properties* properties);
Status getPipeInfo(cl_mem pipe, cl_pipe_info name, const InfoRequest& request);

} // namespace quern::api
