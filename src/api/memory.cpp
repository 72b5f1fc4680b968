#include "api/memory.h"

#include <algorithm>
#include <unistd.h>

#include "api/buffer_checks.h"
#include "api/external_memory.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "api/memory_flags.h"
#include "api/newer_constants.h"
#include "runtime/device.h"
#include "runtime/image.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::Context;
using runtime::MemoryObject;

/// The size is above that of the shared virtual memory at host_ptr.
Status checkSvmSize(uint64_t svmBytes, size_t bytes) {
  if (svmBytes != 0 && bytes > svmBytes)
    return Status::error(CL_INVALID_BUFFER_SIZE,
                         sentence("a buffer of ", bytes, " bytes is larger than the ", svmBytes,
                                  " bytes of shared virtual memory at host_ptr"));
  return {};
}

Status checkRegion(const Buffer& parent, const cl_buffer_region& region) {
  // The region is out of bounds.
  if (region.origin > parent.bytes() || region.size > parent.bytes() - region.origin)
    return invalidValue(sentence("the region of ", region.size, " bytes at ", region.origin,
                                 " is not inside the buffer of ", parent.bytes(), " bytes"));
  if (region.size == 0)
    return Status::error(CL_INVALID_BUFFER_SIZE, "a sub-buffer of 0 bytes is not possible");
  // The origin suits the alignment of no device of the context.
  const auto suits = [&region](const Ref<runtime::Device>& device) {
    return region.origin % (device->caps().baseAddressAlignBits / 8) == 0;
  };
  if (std::ranges::none_of(parent.context().devices(), suits))
    return Status::error(
        CL_MISALIGNED_SUB_BUFFER_OFFSET,
        sentence("origin ", region.origin, " is not a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN"));
  return {};
}

const Buffer* asBuffer(const MemoryObject& memory) {
  return memory.type() == CL_MEM_OBJECT_BUFFER ? static_cast<const Buffer*>(&memory) : nullptr;
}

/// What it was made of, or null.
const MemoryObject* associated(const MemoryObject& memory) {
  if (const Buffer* buffer = asBuffer(memory))
    return buffer->parent();
  const runtime::Image* image = runtime::asImage(const_cast<MemoryObject*>(&memory));
  return image ? image->source() : nullptr;
}

Result<Ref<MemoryObject>> createExternalBuffer(Context& context, MemoryProperties& given,
                                               cl_mem_flags flags, size_t bytes,
                                               const void* hostPointer) {
  QUERN_TRY(checkNoHostPointer(hostPointer));
  MemoryObject::Creation creation = {
      .flags = flags, .bytes = bytes, .hasKnownAddress = given.hasKnownAddress.value_or(false)};
  QUERN_ASSIGN(creation.external, importMemory(context, given, bytes, CL_INVALID_BUFFER_SIZE));
  creation.properties = std::move(given.list);
  QUERN_ASSIGN(Ref<MemoryObject> buffer, Buffer::create(context, std::move(creation), nullptr));
  close(given.handle->file);
  return buffer;
}

/// One for each device of the context.
constexpr auto putAddresses = [](const MemoryObject& memory, InfoValue& value) -> Status {
  // The buffer was made without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT.
  if (!memory.hasKnownAddress())
    return Status::error(CL_INVALID_OPERATION,
                         "the memory object has no address that a program may know: it was made "
                         "without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  for (const Ref<runtime::Device>& device : memory.context().devices())
    value.put<MemoryDeviceAddress>(memory.addressOn(*device));
  return {};
};

constexpr InfoRow<MemoryObject> memoryRows[] = {
    {CL_MEM_TYPE, [](const MemoryObject& memory, InfoValue& value) { value.put(memory.type()); }},
    {CL_MEM_FLAGS, [](const MemoryObject& memory, InfoValue& value) { value.put(memory.flags()); }},
    {CL_MEM_SIZE,
     [](const MemoryObject& memory, InfoValue& value) { value.put<size_t>(memory.bytes()); }},
    {CL_MEM_HOST_PTR,
     [](const MemoryObject& memory, InfoValue& value) { value.put<void*>(memory.hostPointer()); }},
    {CL_MEM_MAP_COUNT,
     [](const MemoryObject& memory, InfoValue& value) { value.put<cl_uint>(memory.mapCount()); }},
    {CL_MEM_REFERENCE_COUNT, [](const MemoryObject& memory,
                                InfoValue& value) { value.put<cl_uint>(memory.apiReferences()); }},
    {CL_MEM_CONTEXT,
     [](const MemoryObject& memory, InfoValue& value) { value.put(toHandle(&memory.context())); }},
    {CL_MEM_ASSOCIATED_MEMOBJECT,
     [](const MemoryObject& memory, InfoValue& value) {
       value.put(toHandle<MemoryObject>(associated(memory)));
     }},
    {CL_MEM_OFFSET,
     [](const MemoryObject& memory, InfoValue& value) {
       const Buffer* buffer = asBuffer(memory);
       value.put<size_t>(buffer ? buffer->origin() : 0);
     }},
    {CL_MEM_USES_SVM_POINTER,
     [](const MemoryObject& memory, InfoValue& value) { value.put<cl_bool>(memory.usesSvm()); }},
    {memoryDeviceAddress, putAddresses},
    {CL_MEM_PROPERTIES,
     [](const MemoryObject& memory, InfoValue& value) { value.putArray(memory.properties()); }},
};

} // namespace

Result<Ref<MemoryObject>> createBuffer(cl_context context, const cl_mem_properties* properties,
                                       cl_mem_flags flags, size_t bytes, void* hostPointer) {
  QUERN_ASSIGN(Context * object, fromHandle<Context>(context));
  QUERN_ASSIGN(MemoryProperties given, parseMemoryProperties(*object, properties));
  QUERN_TRY(checkFlags(flags));
  if (given.handle)
    QUERN_TRY(checkOnlyHandle(flags));
  QUERN_TRY(checkBufferSize(*object, bytes));
  if (given.handle)
    return createExternalBuffer(*object, given, flags, bytes, hostPointer);
  const uint64_t svmBytes = hostPointer ? object->unifiedMemory().hostBytesFrom(hostPointer) : 0;
  QUERN_TRY(checkSvmSize(svmBytes, bytes));
  QUERN_TRY(checkHostPointer(*object, flags, hostPointer));
  MemoryObject::Creation creation = {.flags = flags, .bytes = bytes};
  if (flags & CL_MEM_USE_HOST_PTR) {
    creation.hostPointer = static_cast<std::byte*>(hostPointer);
    creation.usesSvm = svmBytes != 0;
  }
  creation.hasKnownAddress = given.hasKnownAddress.value_or(false);
  creation.properties = std::move(given.list);
  QUERN_ASSIGN(Ref<MemoryObject> buffer, Buffer::create(*object, std::move(creation), hostPointer));
  return buffer;
}

Result<Ref<MemoryObject>> createSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                          cl_buffer_create_type type, const void* info) {
  QUERN_ASSIGN(MemoryObject * memory, fromHandle<MemoryObject>(buffer));
  // Not a buffer, or a sub-buffer.
  if (memory->type() != CL_MEM_OBJECT_BUFFER || static_cast<Buffer*>(memory)->parent())
    return Status::error(
        CL_INVALID_MEM_OBJECT,
        "a sub-buffer can only be made of a buffer that is not a sub-buffer itself");
  auto& parent = static_cast<Buffer&>(*memory);
  QUERN_TRY(checkFlagsOfPart("sub-buffer", parent.flags(), flags));
  // The type is not valid, or there is no region.
  if (type != CL_BUFFER_CREATE_TYPE_REGION)
    return invalidValue(
        sentence("buffer_create_type ", type, " is not CL_BUFFER_CREATE_TYPE_REGION"));
  if (!info)
    return invalidValue("buffer_create_info is NULL");
  const auto& region = *static_cast<const cl_buffer_region*>(info);
  QUERN_TRY(checkRegion(parent, region));
  MemoryObject::Creation creation = {
      .flags = inheritFlags(parent.flags(), flags), .bytes = region.size, .origin = region.origin};
  if (parent.hostPointer())
    creation.hostPointer = parent.hostPointer() + region.origin;
  creation.usesSvm = parent.usesSvm();
  creation.hasKnownAddress = parent.hasKnownAddress();
  return Ref<MemoryObject>(Buffer::createSub(parent, std::move(creation)));
}

Status getMemObjectInfo(cl_mem memory, cl_mem_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const MemoryObject* object, fromHandle<MemoryObject>(memory));
  return query(std::span<const InfoRow<MemoryObject>>(memoryRows), "memory object", *object, name,
               request);
}

Status setMemObjectDestructorCallback(cl_mem memory, MemoryObject::DestructorFunction function,
                                      void* userData) {
  QUERN_ASSIGN(MemoryObject * object, fromHandle<MemoryObject>(memory));
  // pfn_notify is NULL.
  if (!function)
    return invalidValue("pfn_notify is NULL");
  object->addDestructorCallback(function, userData);
  return {};
}

} // namespace quern::api
