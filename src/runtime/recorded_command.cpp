#include "runtime/recorded_command.h"

#include "runtime/memory.h"

namespace quern::runtime {

void RecordedCommand::use(MemoryObject& memory, Access access, ByteRange bytes) {
  Storage& storage = *memory.storage();
  CommandUse use = {
      .object = Ref<RefCounted>(&memory),
      .storage = &storage,
      .access = access,
      .bytes = {memory.extent().begin + bytes.begin, memory.extent().begin + bytes.end}};
  if (!storage.isInOnePlace()) {
    const bool isMap = type_ == CL_COMMAND_MAP_BUFFER || type_ == CL_COMMAND_MAP_IMAGE ||
                       type_ == CL_COMMAND_UNMAP_MEM_OBJECT;
    use.copy = storage.copyFor(device_, isMap);
    mayNeedBytes_ = true;
  }
  uses_.add(std::move(use));
}

void RecordedCommand::use(MemoryObject& memory, Access access) {
  const ByteRange& extent = memory.extent();
  use(memory, access, {0, extent.end - extent.begin});
}

} // namespace quern::runtime
