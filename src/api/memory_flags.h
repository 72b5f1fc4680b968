#pragma once

#include <string_view>

#include <CL/cl.h>

#include "base/result.h"
#include "runtime/context.h"

/// The flags of memory objects (OpenCL 3.0, table "Memory Flags").
namespace quern::api {

inline constexpr cl_mem_flags kernelAccessFlags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;

/// CL_INVALID_VALUE when values in `flags` are not valid or exclude each other.
Status checkFlags(cl_mem_flags flags);

/// CL_INVALID_HOST_PTR when the flags need a host pointer and there is none, or the other way
/// round, or when it is to memory that only a device of `context` reaches.
Status checkHostPointer(const runtime::Context& context, cl_mem_flags flags,
                        const void* hostPointer);

/// CL_INVALID_VALUE when `flags` are not valid for a `part` (a sub-buffer, an image) that shares
/// the memory of an object whose flags are `parent`.
Status checkFlagsOfPart(std::string_view part, cl_mem_flags parent, cl_mem_flags flags);

/// The flags of a part: those that are not given come from the parent.
cl_mem_flags inheritFlags(cl_mem_flags parent, cl_mem_flags flags);

} // namespace quern::api
