#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/memory.h"

namespace quern::api {

/// clCreateBufferWithProperties; with NULL properties also clCreateBuffer. Published as a
/// MemoryObject.
Result<Ref<runtime::MemoryObject>> createBuffer(cl_context context,
                                                const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t bytes,
                                                void* hostPointer);
Result<Ref<runtime::MemoryObject>> createSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                   cl_buffer_create_type type, const void* info);
Status getMemObjectInfo(cl_mem memory, cl_mem_info name, const InfoRequest& request);
Status setMemObjectDestructorCallback(cl_mem memory,
                                      runtime::MemoryObject::DestructorFunction function,
                                      void* userData);

} // namespace quern::api
