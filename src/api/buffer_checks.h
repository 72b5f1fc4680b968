#pragma once

#include <CL/cl.h>

#include "base/result.h"
#include "runtime/command_queue.h"
#include "runtime/memory.h"

/// Checks that the commands on buffers share.
namespace quern::api {

/// The buffer argument of a command in `queue`. CL_INVALID_MEM_OBJECT when it is not a buffer;
/// CL_INVALID_CONTEXT when it belongs to another context than the queue.
Result<runtime::Buffer*> commandBuffer(const runtime::CommandQueue& queue, cl_mem handle);

/// CL_INVALID_VALUE when the region is out of the buffer's bounds.
Status checkRange(const runtime::Buffer& buffer, size_t offset, size_t bytes);

/// CL_MISALIGNED_SUB_BUFFER_OFFSET when `buffer` is a sub-buffer whose origin does not suit the
/// queue's device.
Status checkAlignment(const runtime::CommandQueue& queue, const runtime::Buffer& buffer);

/// CL_INVALID_OPERATION when the buffer was made with flags that forbid the host to read or write
/// it.
Status checkHostMayRead(const runtime::MemoryObject& memory);
Status checkHostMayWrite(const runtime::MemoryObject& memory);

/// CL_INVALID_BUFFER_SIZE for a size that is zero or above the limit of every device.
Status checkBufferSize(const runtime::Context& context, size_t bytes);

} // namespace quern::api
