#include "api/buffer_checks.h"

#include "api/handle.h"

namespace quern::api {

using runtime::Buffer;
using runtime::CommandQueue;
using runtime::MemoryObject;

Result<Buffer*> commandBuffer(const CommandQueue& queue, cl_mem handle) {
  QUERN_ASSIGN(MemoryObject * memory, fromHandle<MemoryObject>(handle));
  if (memory->type() != CL_MEM_OBJECT_BUFFER)
    return Status::error(CL_INVALID_MEM_OBJECT, "the memory object is not a buffer");
  if (&memory->context() != &queue.context())
    return Status::error(CL_INVALID_CONTEXT,
                         "the buffer belongs to another context than the command-queue");
  return static_cast<Buffer*>(memory);
}

Status checkRange(const Buffer& buffer, size_t offset, size_t bytes) {
  if (offset > buffer.bytes() || bytes > buffer.bytes() - offset)
    return Status::error(CL_INVALID_VALUE,
                         sentence("the region of ", bytes, " bytes at ", offset,
                                  " is not inside the buffer of ", buffer.bytes(), " bytes"));
  return {};
}

Status checkAlignment(const CommandQueue& queue, const Buffer& buffer) {
  const uint64_t alignment = queue.device().caps().baseAddressAlignBits / 8;
  if (buffer.origin() % alignment != 0)
    return Status::error(CL_MISALIGNED_SUB_BUFFER_OFFSET,
                         sentence("the sub-buffer starts at ", buffer.origin(),
                                  ", which is not a multiple of ", alignment, " bytes"));
  return {};
}

Status checkHostMayRead(const MemoryObject& memory) {
  if (!memory.hostMayRead())
    return Status::error(
        CL_INVALID_OPERATION,
        "the memory object was made with flags that keep the host from reading it");
  return {};
}

Status checkHostMayWrite(const MemoryObject& memory) {
  if (!memory.hostMayWrite())
    return Status::error(
        CL_INVALID_OPERATION,
        "the memory object was made with flags that keep the host from writing it");
  return {};
}

Status checkBufferSize(const runtime::Context& context, size_t bytes) {
  if (bytes == 0)
    return Status::error(CL_INVALID_BUFFER_SIZE, "a buffer of 0 bytes is not possible");
  uint64_t limit = 0;
  for (const Ref<runtime::Device>& device : context.devices())
    limit = std::max(limit, device->caps().maxAllocBytes);
  if (bytes > limit)
    return Status::error(CL_INVALID_BUFFER_SIZE,
                         sentence("a buffer of ", bytes, " bytes is above the limit of ", limit));
  return {};
}

} // namespace quern::api
