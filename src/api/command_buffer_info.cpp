#include "api/command_buffer.h"
#include "api/handle.h"
#include "api/newer_constants.h"

namespace quern::api {

namespace {

using runtime::CommandBuffer;
using runtime::MutableCommand;

cl_command_buffer_state_khr stateOf(const CommandBuffer& buffer) {
  switch (buffer.state()) {
  case CommandBuffer::State::Recording:
    return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  case CommandBuffer::State::Finalized:
    return commandBufferStateFinalized;
  case CommandBuffer::State::Executable:
    break;
  }
  return CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
}

constexpr InfoRow<CommandBuffer> bufferRows[] = {
    {CL_COMMAND_BUFFER_NUM_QUEUES_KHR,
     [](const CommandBuffer& buffer, InfoValue& value) {
       value.put(static_cast<cl_uint>(buffer.queues().size()));
     }},
    {CL_COMMAND_BUFFER_QUEUES_KHR,
     [](const CommandBuffer& buffer, InfoValue& value) {
       for (const Ref<runtime::CommandQueue>& queue : buffer.queues())
         value.put(toHandle(queue.get()));
     }},
    {CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR,
     [](const CommandBuffer& buffer, InfoValue& value) {
       value.put<cl_uint>(buffer.apiReferences());
     }},
    {CL_COMMAND_BUFFER_STATE_KHR,
     [](const CommandBuffer& buffer, InfoValue& value) { value.put(stateOf(buffer)); }},
    {CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR,
     [](const CommandBuffer& buffer, InfoValue& value) { value.putArray(buffer.propertyList()); }},
    {commandBufferContext,
     [](const CommandBuffer& buffer, InfoValue& value) { value.put(toHandle(&buffer.context())); }},
};

runtime::GivenRange rangeOf(const MutableCommand& command) {
  return command.buffer().launchOf(command.number()).range;
}

void putSizes(const MutableCommand& command, std::array<size_t, 3> runtime::GivenRange::* sizes,
              InfoValue& value) {
  const runtime::GivenRange range = rangeOf(command);
  for (cl_uint i = 0; i < range.workDim; ++i)
    value.put((range.*sizes)[i]);
}

constexpr InfoRow<MutableCommand> commandRows[] = {
    {CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR,
     [](const MutableCommand& command, InfoValue& value) {
       value.put(toHandle(&command.buffer().queueOf(command.number())));
     }},
    {CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR,
     [](const MutableCommand& command, InfoValue& value) {
       value.put(toHandle(&command.buffer()));
     }},
    // Launches alone have handles.
    {CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR,
     [](const MutableCommand&, InfoValue& value) {
       value.put<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL);
     }},
    {mutableCommandPropertiesArray,
     [](const MutableCommand& command, InfoValue& value) {
       value.putArray(command.propertyList());
     }},
    {CL_MUTABLE_DISPATCH_KERNEL_KHR,
     [](const MutableCommand& command, InfoValue& value) {
       value.put(toHandle(&command.kernel()));
     }},
    {CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
     [](const MutableCommand& command, InfoValue& value) { value.put(rangeOf(command).workDim); }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR,
     [](const MutableCommand& command, InfoValue& value) {
       putSizes(command, &runtime::GivenRange::offset, value);
     }},
    {CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
     [](const MutableCommand& command, InfoValue& value) {
       putSizes(command, &runtime::GivenRange::global, value);
     }},
    {CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR,
     [](const MutableCommand& command, InfoValue& value) {
       putSizes(command, &runtime::GivenRange::local, value);
     }},
};

} // namespace

Status getCommandBufferInfo(cl_command_buffer_khr buffer, cl_command_buffer_info_khr name,
                            const InfoRequest& request) {
  QUERN_ASSIGN(const CommandBuffer* object, fromHandle<CommandBuffer>(buffer));
  return query(std::span<const InfoRow<CommandBuffer>>(bufferRows), "command buffer", *object, name,
               request);
}

Status getMutableCommandInfo(cl_mutable_command_khr command, cl_mutable_command_info_khr name,
                             const InfoRequest& request) {
  QUERN_ASSIGN(const MutableCommand* object, fromHandle<MutableCommand>(command));
  return query(std::span<const InfoRow<MutableCommand>>(commandRows), "mutable command", *object,
               name, request);
}

} // namespace quern::api
