#include "api/command_buffer.h"

#include "api/handle.h"
#include "api/invalid.h"
#include "api/newer_constants.h"
#include "api/property_list.h"
#include "api/wait_list.h"

namespace quern::api {

namespace {

using runtime::CommandBuffer;
using runtime::CommandQueue;

/// Takes over the value of one property.
Status parseProperty(cl_properties name, cl_properties value, CommandBuffer::Creation& creation,
                     bool& needsDeviceSync) {
  constexpr cl_bitfield flags = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR |
                                CL_COMMAND_BUFFER_MUTABLE_KHR | commandBufferDeviceSideSync;
  switch (name) {
  case CL_COMMAND_BUFFER_FLAGS_KHR:
    if (value & ~flags)
      return invalidValue(
          sentence("CL_COMMAND_BUFFER_FLAGS_KHR is ", value, ", which has bits that mean nothing"));
    creation.isMutable = (value & CL_COMMAND_BUFFER_MUTABLE_KHR) != 0;
    needsDeviceSync = (value & commandBufferDeviceSideSync) != 0;
    return {};
  case commandBufferMutableDispatchAsserts:
    if (value & ~assertNoAdditionalWorkGroups)
      return invalidValue(sentence("CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR is ", value,
                                   ", which has bits that mean nothing"));
    creation.keepsGroupCount = value != 0;
    return {};
  default:
    return invalidValue(sentence(name, " is no property of a command buffer"));
  }
}

/// The queues are of devices that cannot wait for each other by themselves.
Status checkDeviceSync(const CommandBuffer::Creation& creation) {
  const runtime::Device& first = creation.queues.front()->device().root();
  for (const Ref<CommandQueue>& queue : creation.queues)
    if (&queue->device().root() != &first)
      return Status::error(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
                           "CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR is set, but the devices of the "
                           "queues synchronize only by way of the host");
  return {};
}

/// The queue has properties with which no command buffer is enqueued: one on the device has.
Status checkSubstitute(const CommandBuffer& buffer, size_t index, const CommandQueue& queue) {
  const CommandQueue& own = *buffer.queues()[index];
  if (queue.properties() & ~commandBufferQueueProperties)
    return Status::error(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
                         sentence("queues[", index, "] has the properties ", queue.properties(),
                                  ", with which it takes no command buffer"));
  if (&queue.context() != &own.context())
    return Status::error(
        CL_INVALID_CONTEXT,
        sentence("queues[", index, "] belongs to another context than the command buffer"));
  if (&queue.device() != &own.device())
    return Status::error(
        CL_INVALID_DEVICE,
        sentence("queues[", index,
                 "] is of another device than the queue with which the command buffer was made"));
  return {};
}

/// The queues to run on: the command buffer's own, or those that the program gave.
Result<std::vector<CommandQueue*>> parseQueues(const CommandBuffer& buffer, cl_uint count,
                                               const cl_command_queue* queues) {
  std::vector<CommandQueue*> list;
  // queues is NULL and num_queues > 0, or the other way round.
  if ((queues == nullptr) != (count == 0))
    return invalidValue(
        sentence("num_queues is ", count, " but queues is ", queues ? "given" : "NULL"));
  if (count == 0) {
    for (const Ref<CommandQueue>& queue : buffer.queues())
      list.push_back(queue.get());
    return list;
  }
  if (count != buffer.queues().size())
    return invalidValue(sentence("num_queues is ", count, ", but the command buffer was made with ",
                                 buffer.queues().size(), " queues"));
  QUERN_ASSIGN(list, fromHandles<CommandQueue>(count, queues));
  for (size_t i = 0; i < list.size(); ++i)
    QUERN_TRY(checkSubstitute(buffer, i, *list[i]));
  return list;
}

} // namespace

Result<Ref<CommandBuffer>> createCommandBuffer(cl_uint queueCount, const cl_command_queue* queues,
                                               const cl_command_buffer_properties_khr* properties) {
  // num_queues is 0 or queues is NULL.
  if (queueCount == 0 || !queues)
    return invalidValue("the list of queues is empty");
  QUERN_ASSIGN(const std::vector<CommandQueue*> list,
               fromHandles<CommandQueue>(queueCount, queues));
  CommandBuffer::Creation creation;
  for (CommandQueue* queue : list) {
    if (&queue->context() != &list.front()->context())
      return Status::error(CL_INVALID_CONTEXT, "the queues belong to different contexts");
    creation.queues.emplace_back(queue);
  }
  creation.propertyList = copyPropertyList(properties);
  bool needsDeviceSync = false;
  for (size_t i = 0; i + 1 < creation.propertyList.size(); i += 2) {
    const cl_properties name = creation.propertyList[i];
    if (isRepeated(creation.propertyList, i))
      return invalidValue(sentence("the property ", name, " is named twice"));
    QUERN_TRY(parseProperty(name, creation.propertyList[i + 1], creation, needsDeviceSync));
  }
  if (needsDeviceSync)
    QUERN_TRY(checkDeviceSync(creation));
  return makeRef<CommandBuffer>(std::move(creation));
}

Status finalizeCommandBuffer(cl_command_buffer_khr handle) {
  QUERN_ASSIGN(CommandBuffer * buffer, fromHandle<CommandBuffer>(handle));
  return buffer->finalize();
}

Result<Command> enqueueCommandBuffer(cl_uint queueCount, const cl_command_queue* queues,
                                     cl_command_buffer_khr handle, WaitArguments wait) {
  QUERN_ASSIGN(CommandBuffer * buffer, fromHandle<CommandBuffer>(handle));
  QUERN_ASSIGN(const std::vector<CommandQueue*> list, parseQueues(*buffer, queueCount, queues));
  if (wait.hasNoEvents() && list.size() == 1) {
    QUERN_TRY(buffer->enqueueEventless(*list.front()));
    return Command();
  }
  QUERN_ASSIGN(const runtime::WaitList waitList,
               parseWaitList(buffer->context(), wait.count, wait.events));
  return buffer->enqueue(list, waitList);
}

} // namespace quern::api
