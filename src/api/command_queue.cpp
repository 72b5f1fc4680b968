#include "api/command_queue.h"

#include "api/handle.h"
#include "api/invalid.h"
#include "api/property_list.h"
#include "runtime/device_enqueue.h"

namespace quern::api {

namespace {

using runtime::CommandQueue;
using runtime::Context;
using runtime::Device;
using runtime::DeviceQueue;

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
    return invalidValue(
        sentence("queue properties ", properties, " contain bits that mean nothing"));
  // A device queue must be out of order; the default device queue must be a device queue.
  if ((properties & CL_QUEUE_ON_DEVICE) && !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return invalidValue("a queue on the device must be out of order");
  if ((properties & CL_QUEUE_ON_DEVICE_DEFAULT) && !(properties & CL_QUEUE_ON_DEVICE))
    return invalidValue("the default queue on the device must be a queue on the device");
  return {};
}

/// High, medium and low are the same three bits for priorities and throttles.
Status checkHint(cl_queue_properties value) {
  if (value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
      value == CL_QUEUE_PRIORITY_LOW_KHR)
    return {};
  return invalidValue(sentence("priority or throttle hint ", value, " is not high, medium or low"));
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
    return invalidValue("CL_QUEUE_SIZE is only for queues on the device");
  default:
    return invalidValue(sentence("property ", name, " is not a property of a command-queue"));
  }
}

/// One pair of a list that asks for a queue on the device.
Status applyProperty(cl_queue_properties name, cl_queue_properties value, const Device& device,
                     DeviceQueue::Creation& creation) {
  if (name == CL_QUEUE_PROPERTIES) {
    QUERN_TRY(checkQueueProperties(value));
    creation.properties = value;
    return {};
  }
  if (name != CL_QUEUE_SIZE)
    return invalidValue(sentence("property ", name, " is not a property of a queue on the device"));
  // Valid, but not supported by the device.
  const cl_uint limit = device.caps().enqueueLimits.maxQueueBytes;
  if (value == 0 || value > limit)
    return Status::error(CL_INVALID_QUEUE_PROPERTIES,
                         sentence("a queue of ", value,
                                  " bytes is not possible: it must have from "
                                  "1 to ",
                                  limit));
  creation.bytes = static_cast<cl_uint>(value);
  return {};
}

/// The queue behind a handle that may be of either kind; null when it is not one on a device.
DeviceQueue* deviceQueueOf(cl_command_queue handle) {
  const runtime::ObjectHeader* header = checkedHeader(handle);
  return header && header->kind == runtime::ObjectKind::DeviceQueue
             ? static_cast<DeviceQueue*>(header->object)
             : nullptr;
}

cl_command_queue defaultOf(const Context& context, const Device& device) {
  return toHandle(context.deviceEnqueue().defaultOf(device).get());
}

constexpr InfoRow<DeviceQueue> deviceQueueRows[] = {
    {CL_QUEUE_CONTEXT,
     [](const DeviceQueue& queue, InfoValue& value) { value.put(toHandle(&queue.context())); }},
    {CL_QUEUE_DEVICE,
     [](const DeviceQueue& queue, InfoValue& value) { value.put(toHandle(&queue.device())); }},
    {CL_QUEUE_REFERENCE_COUNT,
     [](const DeviceQueue& queue, InfoValue& value) { value.put<cl_uint>(queue.apiReferences()); }},
    {CL_QUEUE_PROPERTIES,
     [](const DeviceQueue& queue, InfoValue& value) { value.put(queue.properties()); }},
    {CL_QUEUE_PROPERTIES_ARRAY,
     [](const DeviceQueue& queue, InfoValue& value) { value.putArray(queue.propertyList()); }},
    {CL_QUEUE_SIZE,
     [](const DeviceQueue& queue, InfoValue& value) { value.put<cl_uint>(queue.bytes()); }},
    {CL_QUEUE_DEVICE_DEFAULT,
     [](const DeviceQueue& queue, InfoValue& value) {
       value.put(defaultOf(queue.context(), queue.device()));
     }},
};

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
     [](const CommandQueue& queue, InfoValue& value) {
       value.put(defaultOf(queue.context(), queue.device()));
     }},
};

} // namespace

Result<Ref<CommandQueue>> createCommandQueue(cl_context context, cl_device_id device,
                                             cl_command_queue_properties properties) {
  QUERN_ASSIGN(const Owner owner, parseOwner(context, device));
  CommandQueue::Creation creation;
  QUERN_TRY(applyProperty(CL_QUEUE_PROPERTIES, properties, creation));
  // This function makes queues of the host alone.
  if (properties & CL_QUEUE_ON_DEVICE)
    return Status::error(CL_INVALID_QUEUE_PROPERTIES,
                         "clCreateCommandQueue makes no queues on the device");
  return CommandQueue::create(*owner.context, *owner.device, std::move(creation));
}

Result<Ref<CommandQueue>> createCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                           const cl_queue_properties* properties) {
  QUERN_ASSIGN(const Owner owner, parseOwner(context, device));
  CommandQueue::Creation creation;
  for (const cl_queue_properties* name = properties; name && *name != 0; name += 2) {
    creation.propertyList.insert(creation.propertyList.end(), name, name + 2);
    if (isRepeated(creation.propertyList, creation.propertyList.size() - 2))
      return invalidValue(sentence("property ", *name, " is given more than once"));
    QUERN_TRY(applyProperty(name[0], name[1], creation));
  }
  if (properties)
    creation.propertyList.push_back(0);
  return CommandQueue::create(*owner.context, *owner.device, std::move(creation));
}

bool asksForDeviceQueue(const cl_queue_properties* properties) {
  for (const cl_queue_properties* name = properties; name && *name != 0; name += 2)
    if (name[0] == CL_QUEUE_PROPERTIES)
      return name[1] & CL_QUEUE_ON_DEVICE;
  return false;
}

Result<Ref<DeviceQueue>> createDeviceQueueWithProperties(cl_context context, cl_device_id device,
                                                         const cl_queue_properties* properties) {
  QUERN_ASSIGN(const Owner owner, parseOwner(context, device));
  const device::EnqueueLimits& limits = owner.device->caps().enqueueLimits;
  // Valid, but not supported by the device.
  if (limits.maxQueues == 0)
    return Status::error(CL_INVALID_QUEUE_PROPERTIES, "the device has no queues of its own");
  DeviceQueue::Creation creation = {.bytes = limits.preferredQueueBytes};
  for (const cl_queue_properties* name = properties; *name != 0; name += 2) {
    creation.propertyList.insert(creation.propertyList.end(), name, name + 2);
    if (isRepeated(creation.propertyList, creation.propertyList.size() - 2))
      return invalidValue(sentence("property ", *name, " is given more than once"));
    QUERN_TRY(applyProperty(name[0], name[1], *owner.device, creation));
  }
  creation.propertyList.push_back(0);
  const bool isDefault = creation.properties & CL_QUEUE_ON_DEVICE_DEFAULT;
  runtime::DeviceEnqueue& enqueue = owner.context->deviceEnqueue();
  // There is one default queue; whoever asks for another gets it, too.
  if (Ref<DeviceQueue> present = isDefault ? enqueue.defaultOf(*owner.device) : nullptr)
    return present;
  QUERN_ASSIGN(Ref<DeviceQueue> queue,
               DeviceQueue::create(*owner.context, *owner.device, std::move(creation)));
  if (isDefault)
    enqueue.setDefault(*queue);
  return queue;
}

Status retainCommandQueue(cl_command_queue queue) {
  return deviceQueueOf(queue) ? retain<DeviceQueue>(queue) : retain<CommandQueue>(queue);
}

Status releaseCommandQueue(cl_command_queue queue) {
  if (deviceQueueOf(queue))
    return release<DeviceQueue>(queue);
  QUERN_ASSIGN(CommandQueue * object, fromHandle<CommandQueue>(queue));
  object->flush();
  return release<CommandQueue>(queue);
}

Status getCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                           const InfoRequest& request) {
  if (const DeviceQueue* object = deviceQueueOf(queue))
    return query(std::span<const InfoRow<DeviceQueue>>(deviceQueueRows), "queue on the device",
                 *object, name, request);
  QUERN_ASSIGN(const CommandQueue* object, fromHandle<CommandQueue>(queue));
  return query(std::span<const InfoRow<CommandQueue>>(queueRows), "command-queue", *object, name,
               request);
}

Status setCommandQueueProperty(cl_command_queue queue) {
  QUERN_TRY(fromHandle<CommandQueue>(queue).takeStatus());
  return Status::error(CL_INVALID_OPERATION, "the properties of a command-queue cannot be changed");
}

Status setDefaultDeviceCommandQueue(cl_context contextHandle, cl_device_id deviceHandle,
                                    cl_command_queue handle) {
  QUERN_ASSIGN(const Owner owner, parseOwner(contextHandle, deviceHandle));
  // The device does not let the default queue be replaced.
  if (owner.device->caps().enqueueLimits.maxQueues == 0)
    return Status::error(CL_INVALID_OPERATION, "the device has no queues of its own");
  // The queue is not one on this device.
  QUERN_ASSIGN(DeviceQueue * queue, fromHandle<DeviceQueue>(handle, CL_INVALID_COMMAND_QUEUE));
  if (&queue->context() != owner.context || &queue->device() != owner.device)
    return Status::error(CL_INVALID_COMMAND_QUEUE,
                         "the queue is not one of this context on this device");
  owner.context->deviceEnqueue().setDefault(*queue);
  return {};
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
