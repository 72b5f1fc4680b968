#include <algorithm>

#include "api/command_buffer.h"
#include "api/command_buffer_recording.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "runtime/record_again.h"

namespace quern::api {

namespace {

using runtime::CommandBuffer;
using runtime::CommandQueue;
using runtime::MutableCommand;
using runtime::Recorded;

/// The command buffer that is copied, and where to.
struct Remapping {
  CommandBuffer* buffer = nullptr;
  std::vector<CommandQueue*> queues;
  bool isAutomatic = false;
  std::vector<uint32_t> handles; ///< numbers of the commands that they belong to
};

Status parseHandles(const RemappedHandles& given, Remapping& remapping) {
  // The lists and their length disagree.
  if ((given.handles == nullptr) != (given.count == 0) ||
      (given.remapped == nullptr) != (given.count == 0))
    return invalidValue(sentence("num_handles is ", given.count, " but handles is ",
                                 given.handles ? "given" : "NULL", " and handles_ret is ",
                                 given.remapped ? "given" : "NULL"));
  for (cl_uint i = 0; i < given.count; ++i) {
    // It is no handle of a command in the command buffer.
    QUERN_ASSIGN(const MutableCommand* command,
                 fromHandle<MutableCommand>(given.handles[i], CL_INVALID_VALUE));
    if (&command->buffer() != remapping.buffer)
      return invalidValue(sentence("handles[", i, "] belongs to another command buffer"));
    remapping.handles.push_back(command->number());
  }
  return {};
}

Result<Remapping> parseRemapping(cl_command_buffer_khr handle, cl_bool automatic,
                                 cl_uint queueCount, const cl_command_queue* queues,
                                 const RemappedHandles& handles) {
  Remapping remapping;
  remapping.isAutomatic = automatic != CL_FALSE;
  QUERN_ASSIGN(remapping.buffer, fromHandle<CommandBuffer>(handle));
  // num_queues is 0 or queues is NULL.
  if (queueCount == 0 || !queues)
    return invalidValue("the list of queues is empty");
  const size_t count = remapping.buffer->queues().size();
  if (!remapping.isAutomatic && queueCount != count)
    return invalidValue(sentence("num_queues is ", queueCount,
                                 ", but the command buffer was made with ", count,
                                 " queues, each of which needs another"));
  QUERN_TRY(parseHandles(handles, remapping));
  QUERN_ASSIGN(remapping.queues, fromHandles<CommandQueue>(queueCount, queues));
  for (const CommandQueue* queue : remapping.queues)
    if (&queue->context() != &remapping.buffer->context())
      return Status::error(CL_INVALID_CONTEXT,
                           "a command-queue belongs to another context than the command buffer");
  return remapping;
}

/// The command for `queue`; null where arguments of a launch are missing.
Result<Recorded> recordFor(CommandQueue& queue, const CommandBuffer::Copied& copied) {
  if (copied.command && &copied.command->device() == &queue.device())
    return copied.command;
  if (copied.mutableCommand)
    return recordNdRangeKernel(queue, *copied.launch.arguments, argumentsOf(copied.launch.range),
                               LateArguments::Allowed);
  return runtime::recordAgain(queue.device(), *copied.command);
}

/// The queue that suits the command best, and the command for that: one of the same device, whose
/// memory has what the command uses, or the first that can run it at all.
Status chooseQueue(const Remapping& remapping, const CommandBuffer::Copied& copied,
                   CommandBuffer::Addition& addition) {
  std::vector<uint32_t> candidates;
  const runtime::Device& before = remapping.buffer->queues()[copied.queue]->device();
  for (uint32_t i = 0; i < remapping.queues.size(); ++i)
    if (&remapping.queues[i]->device() == &before)
      candidates.push_back(i);
  for (uint32_t i = 0; i < remapping.queues.size(); ++i)
    if (&remapping.queues[i]->device() != &before)
      candidates.push_back(i);
  Status failure;
  for (const uint32_t candidate : candidates) {
    Result<Recorded> command = recordFor(*remapping.queues[candidate], copied);
    if (command.ok()) {
      addition.queue = candidate;
      addition.command = std::move(*command);
      return {};
    }
    if (failure.ok())
      failure = command.takeStatus();
  }
  return failure;
}

Status copyCommand(const Remapping& remapping, CommandBuffer::Copied copied,
                   CommandBuffer::Addition& addition) {
  if (remapping.isAutomatic) {
    QUERN_TRY(chooseQueue(remapping, copied, addition));
  } else {
    addition.queue = copied.queue;
    QUERN_ASSIGN(addition.command, recordFor(*remapping.queues[copied.queue], copied));
  }
  addition.isBarrier = copied.command && copied.command->type() == CL_COMMAND_BARRIER;
  addition.after = std::move(copied.after);
  if (const MutableCommand* launch = copied.mutableCommand)
    addition.creation = {Ref<runtime::Kernel>(&launch->kernel()), launch->propertyList(),
                         launch->fields()};
  addition.launch = std::move(copied.launch);
  return {};
}

} // namespace

Result<Ref<CommandBuffer>> remapCommandBuffer(cl_command_buffer_khr handle, cl_bool automatic,
                                              cl_uint queueCount, const cl_command_queue* queues,
                                              const RemappedHandles& handles) {
  QUERN_ASSIGN(const Remapping remapping,
               parseRemapping(handle, automatic, queueCount, queues, handles));
  const CommandBuffer& buffer = *remapping.buffer;
  const std::vector<cl_properties>& properties = buffer.propertyList();
  QUERN_ASSIGN(
      Ref<CommandBuffer> copy,
      createCommandBuffer(queueCount, queues, properties.empty() ? nullptr : properties.data()));
  std::vector<MutableCommand*> launches;
  for (CommandBuffer::Copied& copied : buffer.copyCommands()) {
    CommandBuffer::Addition addition;
    QUERN_TRY(copyCommand(remapping, std::move(copied), addition));
    launches.push_back(copy->addCopy(std::move(addition)).launch);
  }
  if (buffer.state() != CommandBuffer::State::Recording)
    QUERN_TRY(copy->finalize());
  for (size_t i = 0; i < remapping.handles.size(); ++i)
    handles.remapped[i] = toHandle(launches[remapping.handles[i]]);
  return copy;
}

} // namespace quern::api
