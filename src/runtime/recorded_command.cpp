#include "runtime/recorded_command.h"

#include "runtime/memory.h"

namespace quern::runtime {

void RecordedCommand::use(Ref<MemoryObject> memory, Access access, ByteRange bytes) {
  Storage& storage = *memory->storage();
  const uint64_t first = memory->extent().begin;
  CommandUse& use = uses_.add(std::move(memory));
  use.storage = &storage;
  use.access = access;
  use.bytes = {first + bytes.begin, first + bytes.end};
  if (storage.isInOnePlace())
    return;
  const bool isMap = type_ == CL_COMMAND_MAP_BUFFER || type_ == CL_COMMAND_MAP_IMAGE ||
                     type_ == CL_COMMAND_UNMAP_MEM_OBJECT;
  use.copy = storage.copyFor(device_, isMap);
  mayNeedBytes_ = true;
}

void RecordedCommand::use(Ref<MemoryObject> memory, Access access) {
  const ByteRange& extent = memory->extent();
  use(std::move(memory), access, {0, extent.bytes()});
}

void RecordedCommand::use(const CommandUse& use) {
  uses_.add(use.object) = use;
  if (use.storage && !use.storage->isInOnePlace())
    mayNeedBytes_ = true;
}

} // namespace quern::runtime
