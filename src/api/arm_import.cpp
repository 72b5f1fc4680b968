#include "api/arm_import.h"

#include <algorithm>

#include "api/buffer_checks.h"
#include "api/external_memory.h"
#include "api/handle.h"
#include "api/invalid.h"
#include "api/memory_flags.h"

namespace quern::api {

namespace {

using runtime::Buffer;
using runtime::Context;
using runtime::ExternalMemory;
using runtime::MemoryObject;
using Property = cl_import_properties_arm;

/// What the list of properties asks for.
struct Import {
  Property type = CL_IMPORT_TYPE_HOST_ARM;
  bool hasType = false, hasConsistency = false;
};

Status applyProperty(Property name, Property value, Import& import) {
  bool& given = name == CL_IMPORT_TYPE_ARM ? import.hasType : import.hasConsistency;
  if (given)
    return invalidProperty(sentence("property ", name, " is given more than once"));
  given = true;
  if (name == CL_IMPORT_TYPE_ARM) {
    const bool isKnown = value == CL_IMPORT_TYPE_HOST_ARM ||
                         (value == CL_IMPORT_TYPE_DMA_BUF_ARM && ExternalMemory::hasDmaBufs());
    if (!isKnown)
      return invalidProperty(sentence("memory of type ", value, " cannot be imported"));
    import.type = value;
    return {};
  }
  // Processors always see what others have written to memory that is mapped.
  if (name == CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM &&
      (value == CL_TRUE || value == CL_FALSE))
    return {};
  return invalidProperty(
      sentence("property ", name, " with the value ", value, " is not one of an import"));
}

Result<Import> parseImportProperties(const Property* list) {
  Import import;
  for (; list && *list != 0; list += 2)
    QUERN_TRY(applyProperty(list[0], list[1], import));
  if (import.hasConsistency && import.type != CL_IMPORT_TYPE_DMA_BUF_ARM)
    return invalidProperty("consistency with the host is a property of dma-bufs alone");
  return import;
}

Result<Ref<ExternalMemory>> importDmaBuf(const Context& context, int file, uint64_t bytes) {
  const auto devices = context.devices();
  return ExternalMemory::import({.kind = ExternalMemory::Kind::DmaBuf,
                                 .file = file,
                                 .bytes = bytes,
                                 .devices = {devices.begin(), devices.end()},
                                 .mayBeOnDevice = false,
                                 .tooLarge = CL_INVALID_BUFFER_SIZE});
}

} // namespace

Result<Ref<MemoryObject>> importMemoryArm(cl_context handle, cl_mem_flags flags,
                                          const Property* properties, void* memory, size_t bytes) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  QUERN_ASSIGN(const Import import, parseImportProperties(properties));
  QUERN_TRY(checkFlags(flags));
  // Flags about a host pointer, which `memory` is in any case.
  QUERN_TRY(checkOnlyHandle(flags));
  // memory is NULL.
  if (!memory)
    return Status::error(CL_INVALID_VALUE, "memory is NULL");
  QUERN_TRY(checkBufferSize(*context, bytes));
  // A device would have to copy it.
  const auto copies = [](const Ref<runtime::Device>& device) {
    return !device->caps().hostUnifiedMemory;
  };
  if (std::ranges::any_of(context->devices(), copies))
    return Status::error(CL_INVALID_OPERATION,
                         "a device of the context does not work in the host's memory");
  MemoryObject::Creation creation = {.flags = flags ? flags : CL_MEM_READ_WRITE, .bytes = bytes};
  if (import.type == CL_IMPORT_TYPE_HOST_ARM) {
    creation.importedPointer = static_cast<std::byte*>(memory);
  } else {
    // The descriptor stays the program's.
    QUERN_ASSIGN(creation.external,
                 importDmaBuf(*context, *static_cast<const int*>(memory), bytes));
  }
  QUERN_ASSIGN(Ref<MemoryObject> buffer, Buffer::create(*context, std::move(creation), nullptr));
  return buffer;
}

} // namespace quern::api
