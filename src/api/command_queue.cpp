#include "api/command_queue.h"

#include "api/handle.h"
#include "api/property_list.h"

namespace quern::api {

namespace {

using runtime::CommandQueue;
using runtime::Context;
using runtime::Device;

Status invalid(std::string text) {
  return Status::error(CL_INVALID_VALUE, std::move(text));
}

/// The context and device arguments that start every function here.
struct Owner {
  Context* context;
  Device* device;
};

Result<Owner> parseOwner(cl_context contextHandle, cl_device_id deviceHandle) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(contextHandle));
  QUERN_ASSIGN(Device * device, fromHandle<Device>(deviceHandle));
  // The device is not associated with the context.
  if (!context->hasDevice(*device))
    return Status::error(CL_INVALID_DEVICE, "the device is not one of the context's");
  return Owner{context, device};
}

Status checkQueueProperties(cl_command_queue_properties properties) {
  constexpr cl_command_queue_properties host =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  constexpr cl_command_queue_properties onDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  if (properties & ~(host | onDevice))
    return invalid(sentence("queue properties ", properties, " contain bits that mean nothing"));
  // A device queue must be out of order; the default device queue must be a device queue.
  if ((properties & CL_QUEUE_ON_DEVICE) && !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return invalid("a queue on the device must be out of order");
  if ((properties & CL_QUEUE_ON_DEVICE_DEFAULT) && !(properties & CL_QUEUE_ON_DEVICE))
    return invalid("the default queue on the device must be a queue on the device");
  // Valid, but not supported by the device.
  if (properties & CL_QUEUE_ON_DEVICE)
    return Status::error(CL_INVALID_QUEUE_PROPERTIES, "the device has no queues of its own");
  return {};
}

/// High, medium and low are the same three bits for priorities and throttles.
Status checkHint(cl_queue_properties value) {
  if (value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
      value == CL_QUEUE_PRIORITY_LOW_KHR)
    return {};
  return invalid(sentence("priority or throttle hint ", value, " is not high, medium or low"));
}

Status applyProperty(cl_queue_properties name, cl_queue_properties value,
                     CommandQueue::Creation& creation) {
  switch (name) {
  case CL_QUEUE_PROPERTIES:
    QUERN_TRY(checkQueueProperties(value));
    creation.properties = value;
    return {};
  case CL_QUEUE_PRIORITY_KHR:
    QUERN_TRY(checkHint(value));
    creation.priority = static_cast<cl_uint>(value);
    return {};
  case CL_QUEUE_THROTTLE_KHR:
    return checkHint(value);
  case CL_QUEUE_SIZE:
    return invalid("CL_QUEUE_SIZE is only for queues on the device");
  default:
    return invalid(sentence("property ", name, " is not a property of a command-queue"));
  }
}

constexpr InfoRow<CommandQueue> queueRows[] = {
    {CL_QUEUE_CONTEXT,
     [](const CommandQueue& queue, InfoValue& value) { value.put(toHandle(&queue.context())); }},
    {CL_QUEUE_DEVICE,
     [](const CommandQueue& queue, InfoValue& value) { value.put(toHandle(&queue.device())); }},
    {CL_QUEUE_REFERENCE_COUNT, [](const CommandQueue& queue,
                                  InfoValue& value) { value.put<cl_uint>(queue.apiReferences()); }},
    {CL_QUEUE_PROPERTIES,
     [](const CommandQueue& queue, InfoValue& value) { value.put(queue.properties()); }},
    {CL_QUEUE_PROPERTIES_ARRAY,
     [](const CommandQueue& queue, InfoValue& value) { value.putArray(queue.propertyList()); }},
    // Only a queue on the device has a size.
    {CL_QUEUE_SIZE,
     [](const CommandQueue&, InfoValue&) {
       return Status::error(CL_INVALID_COMMAND_QUEUE, "a host command-queue has no size");
     }},
    {CL_QUEUE_DEVICE_DEFAULT,
     [](const CommandQueue&, InfoValue& value) { value.put<cl_command_queue>(nullptr); }},
};

} // namespace

Result<Ref<CommandQueue>> createCommandQueue(cl_context context, cl_device_id device,
                                             cl_command_queue_properties properties) {
  QUERN_ASSIGN(const Owner owner, parseOwner(context, device));
  CommandQueue::Creation creation;
  QUERN_TRY(applyProperty(CL_QUEUE_PROPERTIES, properties, creation));
  return CommandQueue::create(*owner.context, *owner.device, std::move(creation));
}

Result<Ref<CommandQueue>> createCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                           const cl_queue_properties* properties) {
  QUERN_ASSIGN(const Owner owner, parseOwner(context, device));
  CommandQueue::Creation creation;
  for (const cl_queue_properties* name = properties; name && *name != 0; name += 2) {
    creation.propertyList.insert(creation.propertyList.end(), name, name + 2);
    if (isRepeated(creation.propertyList, creation.propertyList.size() - 2))
      return invalid(sentence("property ", *name, " is given more than once"));
    QUERN_TRY(applyProperty(name[0], name[1], creation));
  }
  if (properties)
    creation.propertyList.push_back(0);
  return CommandQueue::create(*owner.context, *owner.device, std::move(creation));
}

Status releaseCommandQueue(cl_command_queue queue) {
  QUERN_ASSIGN(CommandQueue * object, fromHandle<CommandQueue>(queue));
  object->flush();
  return release<CommandQueue>(queue);
}

Status getCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                           const InfoRequest& request) {
  QUERN_ASSIGN(const CommandQueue* object, fromHandle<CommandQueue>(queue));
  return query(std::span<const InfoRow<CommandQueue>>(queueRows), "command-queue", *object, name,
               request);
}

Status setCommandQueueProperty(cl_command_queue queue) {
  QUERN_TRY(fromHandle<CommandQueue>(queue).takeStatus());
  return Status::error(CL_INVALID_OPERATION, "the properties of a command-queue cannot be changed");
}

Status setDefaultDeviceCommandQueue(cl_context context, cl_device_id device) {
  QUERN_TRY(parseOwner(context, device).takeStatus());
  return Status::error(CL_INVALID_OPERATION, "the device has no queues of its own");
}

Status flush(cl_command_queue queue) {
  QUERN_ASSIGN(CommandQueue * object, fromHandle<CommandQueue>(queue));
  object->flush();
  return {};
}

Status finish(cl_command_queue queue) {
  QUERN_ASSIGN(CommandQueue * object, fromHandle<CommandQueue>(queue));
  object->finish();
  return {};
}

} // namespace quern::api
