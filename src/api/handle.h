#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "base/ref.h"
#include "base/result.h"
#include "base/sentence.h"
#include "runtime/object.h"

/// The only casts between the handles of the C API and the objects of the runtime.
namespace quern::runtime {
class Platform;
class Device;
class Context;
class CommandQueue;
class DeviceQueue;
class MemoryObject;
class Sampler;
class Program;
class Kernel;
class Event;
class Semaphore;
class CommandBuffer;
class MutableCommand;
} // namespace quern::runtime

namespace quern::api {

/// What handle stands for a runtime class, and which error an invalid one is.
template <typename T> struct HandleTraits;

#define QUERN_HANDLE(Class, handle, objectKind, invalidCode, text)                                 \
  template <> struct HandleTraits<runtime::Class> {                                                \
    using Handle = handle;                                                                         \
    static constexpr runtime::ObjectKind kind = runtime::ObjectKind::objectKind;                   \
    static constexpr cl_int invalid = invalidCode;                                                 \
    static constexpr std::string_view name = text;                                                 \
  }
QUERN_HANDLE(Platform, cl_platform_id, Platform, CL_INVALID_PLATFORM, "platform");
QUERN_HANDLE(Device, cl_device_id, Device, CL_INVALID_DEVICE, "device");
QUERN_HANDLE(Context, cl_context, Context, CL_INVALID_CONTEXT, "context");
QUERN_HANDLE(CommandQueue, cl_command_queue, CommandQueue, CL_INVALID_COMMAND_QUEUE,
             "command-queue");
QUERN_HANDLE(DeviceQueue, cl_command_queue, DeviceQueue, CL_INVALID_DEVICE_QUEUE,
             "queue on the device");
QUERN_HANDLE(MemoryObject, cl_mem, Memory, CL_INVALID_MEM_OBJECT, "memory object");
QUERN_HANDLE(Sampler, cl_sampler, Sampler, CL_INVALID_SAMPLER, "sampler");
QUERN_HANDLE(Program, cl_program, Program, CL_INVALID_PROGRAM, "program");
QUERN_HANDLE(Kernel, cl_kernel, Kernel, CL_INVALID_KERNEL, "kernel");
QUERN_HANDLE(Event, cl_event, Event, CL_INVALID_EVENT, "event");
QUERN_HANDLE(Semaphore, cl_semaphore_khr, Semaphore, CL_INVALID_SEMAPHORE_KHR, "semaphore");
QUERN_HANDLE(CommandBuffer, cl_command_buffer_khr, CommandBuffer, CL_INVALID_COMMAND_BUFFER_KHR,
             "command buffer");
QUERN_HANDLE(MutableCommand, cl_mutable_command_khr, MutableCommand, CL_INVALID_MUTABLE_COMMAND_KHR,
             "mutable command");
#undef QUERN_HANDLE

template <typename T> using HandleOf = typename HandleTraits<T>::Handle;

/// The header behind `handle` if it is one of our living objects, made in this process; otherwise
/// null. Cannot recognise a pointer to memory that is not mapped.
inline const runtime::ObjectHeader* checkedHeader(const void* handle) {
  if (!handle || reinterpret_cast<uintptr_t>(handle) % alignof(runtime::ObjectHeader) != 0)
    return nullptr;
  const auto* header = static_cast<const runtime::ObjectHeader*>(handle);
  const bool isOurs = header->dispatch == runtime::dispatchTable() &&
                      header->kind != runtime::ObjectKind::Deleted &&
                      header->process == runtime::processGeneration();
  return isOurs ? header : nullptr;
}

/// The error for `handle`, which is not a valid `T`; names what is wrong with it.
Status invalidHandle(const void* handle, cl_int code, std::string_view name,
                     std::source_location place);

/// The object behind `handle`, or `code` (the specification's error for this kind of argument, by
/// default the usual one).
template <typename T>
Result<T*> fromHandle(HandleOf<T> handle, cl_int code = HandleTraits<T>::invalid,
                      std::source_location place = std::source_location::current()) {
  using Traits = HandleTraits<T>;
  const runtime::ObjectHeader* header = checkedHeader(handle);
  if (header && header->kind == Traits::kind) [[likely]]
    return static_cast<T*>(header->object);
  return invalidHandle(handle, code, Traits::name, place);
}

/// Objects of a list that the program gave; the first invalid one is the error.
template <typename T>
Result<std::vector<T*>> fromHandles(cl_uint count, const HandleOf<T>* handles,
                                    cl_int code = HandleTraits<T>::invalid,
                                    std::source_location place = std::source_location::current()) {
  std::vector<T*> objects;
  objects.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    QUERN_ASSIGN(T * object, fromHandle<T>(handles[i], code, place));
    objects.push_back(object);
  }
  return objects;
}

/// The handle of `object`, without touching its counts; null for null.
template <typename T> HandleOf<T> toHandle(const T* object) {
  return object
             ? reinterpret_cast<HandleOf<T>>(const_cast<runtime::ObjectHeader*>(object->header()))
             : nullptr;
}

/// Gives the program a reference to `object` and returns its handle: for handles that a function
/// creates.
template <typename T> HandleOf<T> publish(const Ref<T>& object) {
  object->retainFromApi();
  return toHandle(object.get());
}

/// clRetainXxx.
template <typename T>
Status retain(HandleOf<T> handle, std::source_location place = std::source_location::current()) {
  QUERN_ASSIGN(T * object, fromHandle<T>(handle, HandleTraits<T>::invalid, place));
  object->retainFromApi();
  return {};
}

/// clReleaseXxx. An object that the program holds no reference to is invalid here.
template <typename T>
Status release(HandleOf<T> handle, std::source_location place = std::source_location::current()) {
  QUERN_ASSIGN(T * object, fromHandle<T>(handle, HandleTraits<T>::invalid, place));
  if (!object->releaseFromApi())
    return Status::error(HandleTraits<T>::invalid,
                         sentence("the ", HandleTraits<T>::name, " was released before"), 0, place);
  return {};
}

} // namespace quern::api
