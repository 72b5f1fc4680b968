#include "api/commands.h"

#include <cstring>
#include <vector>

#include "api/buffer_checks.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "api/wait_list.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::CommandQueue;
using runtime::MemoryObject;
using runtime::WaitList;
using Order = CommandQueue::Order;

/// A command that only takes part in ordering. `withoutList` and `withList` say how, for an empty
/// wait list and for one that is not.
Result<Command> enqueueOrdering(cl_command_queue queueHandle, cl_command_type type,
                                Order withoutList, Order withList, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  return queue->enqueue(makeRef<runtime::RecordedCommand>(queue->device(), type), waitList,
                        waitList.empty() ? withoutList : withList);
}

/// Arguments that exclude each other in clEnqueueNativeKernel, in the order of the specification.
Status checkNativeArguments(const NativeKernel& kernel) {
  if (!kernel.function)
    return invalidValue("user_func is NULL");
  if (!kernel.arguments && (kernel.argumentBytes > 0 || kernel.bufferCount > 0))
    return invalidValue(sentence("args is NULL but there are ", kernel.argumentBytes,
                                 " bytes of arguments and ", kernel.bufferCount,
                                 " memory objects"));
  if (kernel.arguments && kernel.argumentBytes == 0)
    return invalidValue("args is given but cb_args is 0");
  if (kernel.bufferCount > 0 && (!kernel.buffers || !kernel.locations))
    return invalidValue("num_mem_objects is not 0 but mem_list or args_mem_loc is NULL");
  if (kernel.bufferCount == 0 && (kernel.buffers || kernel.locations))
    return invalidValue("num_mem_objects is 0 but mem_list or args_mem_loc is given");
  return {};
}

/// The offset of `location` in the arguments, where a whole handle must fit.
Result<size_t> locationOffset(const NativeKernel& kernel, const void* location) {
  const auto begin = reinterpret_cast<uintptr_t>(kernel.arguments);
  const auto at = reinterpret_cast<uintptr_t>(location);
  if (kernel.argumentBytes < sizeof(void*) || at < begin ||
      at - begin > kernel.argumentBytes - sizeof(void*))
    return invalidValue("an element of args_mem_loc does not point into args");
  return at - begin;
}

} // namespace

Result<Command> enqueueMarker(cl_command_queue queue, WaitArguments wait) {
  return enqueueOrdering(queue, CL_COMMAND_MARKER, Order::AfterAllBefore, Order::Normal, wait);
}

Result<Command> enqueueBarrier(cl_command_queue queue, WaitArguments wait) {
  return enqueueOrdering(queue, CL_COMMAND_BARRIER, Order::AfterAllBeforeAndBlocking,
                         Order::Blocking, wait);
}

Status enqueueWaitForEvents(cl_command_queue queue, WaitArguments wait) {
  QUERN_TRY(fromHandle<CommandQueue>(queue).takeStatus());
  // num_events is 0 or event_list is NULL.
  if (wait.count == 0 || !wait.events)
    return invalidValue("the list of events is empty");
  return enqueueBarrier(queue, wait).takeStatus();
}

Result<Command> enqueueMarkerWithEvent(cl_command_queue queue, const cl_event* event) {
  QUERN_TRY(fromHandle<CommandQueue>(queue).takeStatus());
  // event is NULL.
  if (!event)
    return invalidValue("event is NULL");
  return enqueueMarker(queue, {});
}

Result<Command> enqueueMigrateMemObjects(cl_command_queue queueHandle, cl_uint count,
                                         const cl_mem* objects, cl_mem_migration_flags flags,
                                         WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  // num_mem_objects is zero or mem_objects is NULL.
  if (count == 0 || !objects)
    return invalidValue("the list of memory objects is empty");
  QUERN_ASSIGN(const std::vector<MemoryObject*> list, fromHandles<MemoryObject>(count, objects));
  for (const MemoryObject* memory : list)
    if (&memory->context() != &queue->context())
      return Status::error(CL_INVALID_CONTEXT,
                           "a memory object belongs to another context than the command-queue");
  // Flags that are not defined.
  if (flags & ~(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
    return invalidValue(sentence("migration flags ", flags, " contain bits that mean nothing"));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  auto command = makeRef<runtime::RecordedCommand>(queue->device(), CL_COMMAND_MIGRATE_MEM_OBJECTS,
                                                   (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0);
  // What is undefined is as good where it is.
  for (MemoryObject* memory : list)
    if (flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)
      command->use(Ref<RefCounted>(memory));
    else
      command->use(Ref<MemoryObject>(memory), runtime::Access::Read);
  return queue->enqueue(std::move(command), waitList);
}

Result<Command> enqueueNativeKernel(cl_command_queue queueHandle, const NativeKernel& kernel,
                                    WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  QUERN_TRY(checkNativeArguments(kernel));
  // The device cannot execute native kernels.
  if (!queue->device().caps().nativeKernels)
    return Status::error(CL_INVALID_OPERATION, "the device does not run native kernels");
  auto command = makeRef<runtime::RecordedCommand>(queue->device(), CL_COMMAND_NATIVE_KERNEL);
  const auto* given = static_cast<const std::byte*>(kernel.arguments);
  std::vector<std::byte> arguments(given, given + kernel.argumentBytes);
  for (cl_uint i = 0; i < kernel.bufferCount; ++i) {
    QUERN_ASSIGN(const size_t offset, locationOffset(kernel, kernel.locations[i]));
    const std::byte* address = nullptr;
    // A memory object may be NULL; the function then gets NULL.
    if (kernel.buffers[i]) {
      QUERN_ASSIGN(Buffer * buffer, commandBuffer(*queue, kernel.buffers[i]));
      QUERN_ASSIGN(address, buffer->hostAddress());
      command->use(Ref<MemoryObject>(buffer), runtime::Access::ReadWrite);
    }
    std::memcpy(arguments.data() + offset, &address, sizeof(address));
  }
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  // Each run gets arguments of its own, which it may change.
  command->work = device::CallHost{[function = kernel.function, arguments = std::move(arguments)] {
    std::vector<std::byte> own = arguments;
    function(own.empty() ? nullptr : own.data());
  }};
  return queue->enqueue(std::move(command), waitList);
}

} // namespace quern::api
