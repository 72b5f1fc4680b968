#include "api/external_memory.h"

#include "api/handle.h"
#include "api/invalid.h"
#include "api/memory_flags.h"
#include "api/newer_constants.h"
#include "api/wait_list.h"
#include "runtime/external_commands.h"

namespace quern::api {

namespace {

using runtime::CommandQueue;
using runtime::Context;
using runtime::Device;
using runtime::ExternalMemory;
using runtime::MemoryObject;
using runtime::WaitList;

/// The kind of memory that a property's value is a handle of, where this machine has it.
std::optional<ExternalMemory::Kind> kindOf(cl_mem_properties name) {
  if (name == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR)
    return ExternalMemory::Kind::OpaqueDescriptor;
  if (name == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR && ExternalMemory::hasDmaBufs())
    return ExternalMemory::Kind::DmaBuf;
  return std::nullopt;
}

/// Reads the program's list, of which nothing is known beyond what has been read.
class PropertyReader {
public:
  PropertyReader(const Context& context, const cl_mem_properties* list)
      : context_(context), next_(list) {}

  Result<MemoryProperties> read();

private:
  Status readDevices();
  Status readKnownAddress();
  cl_mem_properties take() {
    read_.list.push_back(*next_);
    return *next_++;
  }

  const Context& context_;
  const cl_mem_properties* next_;
  bool hasDevices_ = false;
  MemoryProperties read_;
};

Result<MemoryProperties> PropertyReader::read() {
  while (const cl_mem_properties name = take()) {
    if (name == memoryDeviceHandleList) {
      QUERN_TRY(readDevices());
      continue;
    }
    if (name == memoryDevicePrivateAddress) {
      QUERN_TRY(readKnownAddress());
      continue;
    }
    const std::optional<ExternalMemory::Kind> kind = kindOf(name);
    if (!kind)
      return invalidProperty(sentence("property ", name, " is not a property of a memory object"));
    // More than one handle.
    if (read_.handle)
      return invalidProperty("more than one handle of external memory is given");
    read_.handle = {*kind, static_cast<int>(take())};
  }
  // Devices without a handle.
  if (hasDevices_ && !read_.handle)
    return invalidProperty("CL_MEM_DEVICE_HANDLE_LIST_KHR is given without external memory");
  if (!hasDevices_)
    read_.devices.assign(context_.devices().begin(), context_.devices().end());
  return std::move(read_);
}

Status PropertyReader::readKnownAddress() {
  if (read_.hasKnownAddress)
    return invalidProperty("CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is given more than once");
  const cl_mem_properties value = take();
  if (value != CL_TRUE && value != CL_FALSE)
    return invalidProperty(
        sentence("CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is ", value, ", neither CL_TRUE nor CL_FALSE"));
  read_.hasKnownAddress = value == CL_TRUE;
  return {};
}

Status PropertyReader::readDevices() {
  if (hasDevices_)
    return invalidProperty("CL_MEM_DEVICE_HANDLE_LIST_KHR is given more than once");
  hasDevices_ = true;
  while (const cl_mem_properties handle = take()) {
    QUERN_ASSIGN(Device * device, fromHandle<Device>(reinterpret_cast<cl_device_id>(handle)));
    if (!context_.hasDevice(*device))
      return Status::error(CL_INVALID_DEVICE, "the device is not one of the context's");
    read_.devices.emplace_back(device);
  }
  if (read_.devices.empty())
    return Status::error(CL_INVALID_DEVICE, "the list of the memory's devices is empty");
  return {};
}

/// What both commands take and check.
using Enqueue = Ref<runtime::Event> (&)(CommandQueue&, const std::vector<MemoryObject*>&,
                                        const WaitList&);

Result<std::vector<MemoryObject*>> parseObjects(const CommandQueue& queue, cl_uint count,
                                                const cl_mem* handles) {
  QUERN_ASSIGN(std::vector<MemoryObject*> objects, fromHandles<MemoryObject>(count, handles));
  for (const MemoryObject* memory : objects) {
    // The memory object was not made from a handle.
    if (!memory->external())
      return Status::error(CL_INVALID_MEM_OBJECT, "a memory object is not of external memory");
    // It, or its context, is not for the queue's device.
    if (&memory->context() != &queue.context() || !memory->external()->isFor(queue.device()))
      return Status::error(CL_INVALID_COMMAND_QUEUE,
                           "a memory object is not for the device of the command-queue");
  }
  return objects;
}

Result<Command> enqueue(Enqueue enqueueCommand, cl_command_queue queueHandle, cl_uint count,
                        const cl_mem* handles, WaitArguments wait) {
  QUERN_ASSIGN(CommandQueue * queue, fromHandle<CommandQueue>(queueHandle));
  // num_mem_objects and mem_objects contradict each other.
  if ((count == 0) != (handles == nullptr))
    return Status::error(
        CL_INVALID_VALUE,
        sentence("num_mem_objects is ", count, " but mem_objects is ", handles ? "given" : "NULL"));
  QUERN_ASSIGN(const std::vector<MemoryObject*> objects, parseObjects(*queue, count, handles));
  QUERN_ASSIGN(const WaitList waitList, parseWaitList(queue->context(), wait.count, wait.events));
  QUERN_TRY(checkNoneFailed(waitList));
  return enqueueCommand(*queue, objects, waitList);
}

} // namespace

std::vector<cl_external_memory_handle_type_khr> memoryHandleTypes() {
  std::vector<cl_external_memory_handle_type_khr> types;
  for (const cl_external_memory_handle_type_khr type :
       {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR})
    if (kindOf(type))
      types.push_back(type);
  return types;
}

Result<MemoryProperties> parseMemoryProperties(const Context& context,
                                               const cl_mem_properties* properties) {
  return properties ? PropertyReader(context, properties).read() : MemoryProperties();
}

Status checkOnlyHandle(cl_mem_flags flags) {
  if (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
    return Status::error(CL_INVALID_VALUE,
                         "external memory excludes all CL_MEM_xxx_HOST_PTR flags");
  return {};
}

Status checkNoHostPointer(const void* hostPointer) {
  if (hostPointer)
    return Status::error(CL_INVALID_HOST_PTR, "host_ptr is given besides external memory");
  return {};
}

Result<Ref<ExternalMemory>> importMemory(const Context& context, const MemoryProperties& properties,
                                         uint64_t bytes, cl_int tooLarge) {
  return ExternalMemory::import({.kind = properties.handle->kind,
                                 .file = properties.handle->file,
                                 .bytes = bytes,
                                 .devices = properties.devices,
                                 .mayBeOnDevice = context.devices().size() == 1,
                                 .tooLarge = tooLarge});
}

Result<Command> enqueueAcquireExternal(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                                       WaitArguments wait) {
  return enqueue(runtime::enqueueAcquire, queue, count, objects, wait);
}

Result<Command> enqueueReleaseExternal(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                                       WaitArguments wait) {
  return enqueue(runtime::enqueueRelease, queue, count, objects, wait);
}

} // namespace quern::api
