#include "api/pipe.h"

#include <algorithm>

#include "api/handle.h"
#include "runtime/context.h"
#include "runtime/pipe.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::MemoryObject;
using runtime::Pipe;

/// The most bytes that a packet may have on one of the devices; 0 where none has pipes.
cl_uint maxPacketBytes(const Context& context) {
  cl_uint bytes = 0;
  for (const Ref<runtime::Device>& device : context.devices())
    bytes = std::max(bytes, device->caps().pipeLimits.maxPacketBytes);
  return bytes;
}

Status checkSizes(cl_uint packetBytes, cl_uint capacity, cl_uint limit) {
  if (packetBytes == 0 || packetBytes > limit)
    return Status::error(CL_INVALID_PIPE_SIZE,
                         sentence("a packet of ", packetBytes,
                                  " bytes is not possible: it must have from 1 to ", limit));
  if (capacity == 0)
    return Status::error(CL_INVALID_PIPE_SIZE,
                         "a pipe for 0 packets is not possible: it must hold at least 1");
  return {};
}

constexpr InfoRow<Pipe> pipeRows[] = {
    {CL_PIPE_PACKET_SIZE,
     [](const Pipe& pipe, InfoValue& value) { value.put<cl_uint>(pipe.packetBytes()); }},
    {CL_PIPE_MAX_PACKETS,
     [](const Pipe& pipe, InfoValue& value) { value.put<cl_uint>(pipe.capacity()); }},
    // No list of properties is accepted at creation.
    {CL_PIPE_PROPERTIES, [](const Pipe&, InfoValue&) {}},
};

} // namespace

Result<Ref<MemoryObject>> createPipe(cl_context handle, cl_mem_flags flags, cl_uint packetBytes,
                                     cl_uint capacity, const cl_pipe_properties* properties) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  // No device of the context has pipes.
  const cl_uint limit = maxPacketBytes(*context);
  if (limit == 0)
    return Status::error(CL_INVALID_OPERATION, "no device of the context has pipes");
  // Flags other than the two that are for pipes.
  constexpr cl_mem_flags allowed = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  if (flags & ~allowed)
    return Status::error(CL_INVALID_VALUE,
                         sentence("memory flags ", flags,
                                  " contain others than CL_MEM_READ_WRITE and "
                                  "CL_MEM_HOST_NO_ACCESS, which pipes cannot have"));
  // There are no properties yet.
  if (properties)
    return Status::error(CL_INVALID_VALUE, "the properties of a pipe must be NULL");
  QUERN_TRY(checkSizes(packetBytes, capacity, limit));
  QUERN_ASSIGN(Ref<MemoryObject> pipe,
               Pipe::create(*context, {.flags = flags ? flags : allowed}, packetBytes, capacity));
  return pipe;
}

Status getPipeInfo(cl_mem handle, cl_pipe_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const MemoryObject* memory, fromHandle<MemoryObject>(handle));
  if (memory->type() != CL_MEM_OBJECT_PIPE)
    return Status::error(CL_INVALID_MEM_OBJECT, "the memory object is not a pipe");
  return query(std::span<const InfoRow<Pipe>>(pipeRows), "pipe", static_cast<const Pipe&>(*memory),
               name, request);
}

} // namespace quern::api
