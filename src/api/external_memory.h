#pragma once

#include <optional>
#include <vector>

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "api/buffer_commands.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/external_memory.h"
#include "runtime/memory.h"

/// Memory objects of memory from outside (cl_khr_external_memory, cl_arm_import_memory).
namespace quern::api {

/// As what memory can be imported on this machine: CL_EXTERNAL_MEMORY_HANDLE_xxx.
std::vector<cl_external_memory_handle_type_khr> memoryHandleTypes();

/// The list of properties of a buffer or an image.
struct MemoryProperties {
  /// The program's descriptor until there is a memory object of it: then it is to be closed.
  struct Handle {
    runtime::ExternalMemory::Kind kind;
    int file;
  };
  /// The program's, zero-terminated; empty when it gave none.
  std::vector<cl_mem_properties> list;
  std::optional<Handle> handle;
  /// CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, where it is given.
  std::optional<bool> hasKnownAddress;
  /// With which an object of external memory is used.
  std::vector<Ref<runtime::Device>> devices;
};

/// CL_INVALID_PROPERTY for what is no property, or for a device list without a handle;
/// CL_INVALID_DEVICE for devices that are not the context's.
Result<MemoryProperties> parseMemoryProperties(const runtime::Context& context,
                                               const cl_mem_properties* properties);

/// CL_INVALID_VALUE or CL_INVALID_HOST_PTR for memory of the program besides that of a handle.
Status checkOnlyHandle(cl_mem_flags flags);
Status checkNoHostPointer(const void* hostPointer);

/// The memory behind the handle of `properties`, `bytes` of it. CL_INVALID_PROPERTY or
/// CL_INVALID_VALUE when there is none, `tooLarge` when it is smaller.
Result<Ref<runtime::ExternalMemory>> importMemory(const runtime::Context& context,
                                                  const MemoryProperties& properties,
                                                  uint64_t bytes, cl_int tooLarge);

Result<Command> enqueueAcquireExternal(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                                       WaitArguments wait);
Result<Command> enqueueReleaseExternal(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                                       WaitArguments wait);

} // namespace quern::api
