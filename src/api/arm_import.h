#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/ref.h"
#include "base/result.h"
#include "runtime/memory.h"

namespace quern::api {

/// clImportMemoryARM (cl_arm_import_memory): a buffer of memory of the process or of a dma-buf,
/// without copies, for devices that work in the host's memory.
Result<Ref<runtime::MemoryObject>> importMemoryArm(cl_context context, cl_mem_flags flags,
                                                   const cl_import_properties_arm* properties,
                                                   void* memory, size_t bytes);

} // namespace quern::api
