#include "runtime/recorded_command.h"

#include "runtime/memory.h"

namespace quern::runtime {

bool RecordedCommand::isAboutHostCopy(cl_command_type type) {
  return type == CL_COMMAND_MAP_BUFFER || type == CL_COMMAND_MAP_IMAGE ||
         type == CL_COMMAND_UNMAP_MEM_OBJECT || type == CL_COMMAND_SVM_MAP ||
         type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR ||
         type == CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR;
}

void RecordedCommand::add(Ref<RefCounted> keep, Storage& storage, Access access, ByteRange bytes) {
  CommandUse& use = uses_.add(std::move(keep));
  use.storage = &storage;
  use.access = access;
  use.bytes = bytes;
  if (storage.isInOnePlace())
    return;
  use.copy = storage.copyFor(device_, isAboutHostCopy_);
  mayNeedBytes_ = true;
}

void RecordedCommand::use(Ref<MemoryObject> memory, Access access) {
  const ByteRange& extent = memory->extent();
  use(std::move(memory), access, {0, extent.bytes()});
}

void RecordedCommand::use(Ref<MemoryObject> memory, Access access, ByteRange bytes) {
  Storage& storage = *memory->storage();
  const uint64_t first = memory->extent().begin;
  add(std::move(memory), storage, access, {first + bytes.begin, first + bytes.end});
}

void RecordedCommand::use(Ref<UnifiedAllocation> memory, Access access, ByteRange bytes) {
  if (Storage* const storage = memory->storage())
    add(std::move(memory), *storage, access, bytes);
  else
    use(std::move(memory));
}

void RecordedCommand::use(Ref<UnifiedAllocation> memory, Access access) {
  const uint64_t bytes = memory->memory().bytes();
  use(std::move(memory), access, {0, bytes});
}

void RecordedCommand::use(const CommandUse& use) {
  uses_.add(use.object) = use;
  if (use.storage && !use.storage->isInOnePlace())
    mayNeedBytes_ = true;
}

} // namespace quern::runtime
