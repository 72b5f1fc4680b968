#include "runtime/record_transfers.h"

#include <cstring>

namespace quern::runtime {

namespace {

device::Place placeOf(const Device& device, const Bytewise& bytes) {
  return bytes.memory ? bytes.memory->placeOn(device, bytes.offset)
                      : device::Place{.host = bytes.host};
}

/// A program may name the very memory that it gave with CL_MEM_USE_HOST_PTR.
bool areSame(const Bytewise& a, const Bytewise& b) {
  if (a.memory && !b.memory)
    return a.memory->isAt(b.host, a.offset);
  return b.memory && !a.memory && b.memory->isAt(a.host, b.offset);
}

void use(RecordedCommand& command, const Bytewise& first, uint64_t bytes, Access access) {
  if (first.memory)
    command.use(Ref<MemoryObject>(first.memory), access, {first.offset, first.offset + bytes});
}

/// From the first byte of a box to its last.
uint64_t extentOf(const BoxSide& side, const BoxSize& size) {
  return (size[2] - 1) * side.slicePitch + (size[1] - 1) * side.rowPitch + size[0];
}

/// What writing a box does to all bytes from its first to its last: some of them stay.
Access writeAccess(const BoxSide& side, const BoxSize& size) {
  return extentOf(side, size) == size[0] * size[1] * size[2] ? Access::Write : Access::ReadWrite;
}

Access accessOf(const MemoryObject::Mapping& mapping, bool keepsContents) {
  if (!mapping.writes)
    return Access::Read;
  return keepsContents ? Access::ReadWrite : Access::Write;
}

} // namespace

Recorded recordCopy(const Device& device, cl_command_type type, const Bytewise& source,
                    const Bytewise& destination, uint64_t bytes) {
  auto command = makeRef<RecordedCommand>(device, type);
  if (bytes != 0 && !areSame(source, destination))
    command->work = device::Copy{.source = placeOf(device, source),
                                 .destination = placeOf(device, destination),
                                 .bytes = bytes};
  use(*command, source, bytes, Access::Read);
  use(*command, destination, bytes, Access::Write);
  return command;
}

Recorded recordFill(const Device& device, const Bytewise& destination,
                    std::span<const std::byte> pattern, uint64_t bytes) {
  auto command = makeRef<RecordedCommand>(device, CL_COMMAND_FILL_BUFFER);
  if (bytes != 0) {
    auto& fill = command->work.emplace<device::Fill>();
    fill.destination = placeOf(device, destination);
    std::memcpy(fill.pattern.data(), pattern.data(), pattern.size());
    fill.patternBytes = static_cast<uint32_t>(pattern.size());
    fill.bytes = bytes;
  }
  use(*command, destination, bytes, Access::Write);
  return command;
}

Recorded recordBoxCopy(const Device& device, cl_command_type type, const BoxSide& source,
                       const BoxSide& destination, const BoxSize& size) {
  auto command = makeRef<RecordedCommand>(device, type);
  const bool areAlike =
      source.rowPitch == destination.rowPitch && source.slicePitch == destination.slicePitch;
  if (!areAlike || !areSame(source.first, destination.first))
    command->work = device::CopyRect{.source = placeOf(device, source.first),
                                     .destination = placeOf(device, destination.first),
                                     .sourceRowPitch = source.rowPitch,
                                     .sourceSlicePitch = source.slicePitch,
                                     .destinationRowPitch = destination.rowPitch,
                                     .destinationSlicePitch = destination.slicePitch,
                                     .region = size};
  use(*command, source.first, extentOf(source, size), Access::Read);
  use(*command, destination.first, extentOf(destination, size), writeAccess(destination, size));
  return command;
}

Recorded recordBoxFill(const Device& device, const BoxSide& destination,
                       std::span<const std::byte> pattern, const BoxSize& size) {
  auto command = makeRef<RecordedCommand>(device, CL_COMMAND_FILL_IMAGE);
  auto& fill = command->work.emplace<device::FillRect>();
  fill.destination = placeOf(device, destination.first);
  fill.rowPitch = destination.rowPitch;
  fill.slicePitch = destination.slicePitch;
  fill.region = size;
  std::memcpy(fill.pattern.data(), pattern.data(), pattern.size());
  fill.patternBytes = static_cast<uint32_t>(pattern.size());
  use(*command, destination.first, extentOf(destination, size), writeAccess(destination, size));
  return command;
}

Recorded recordMap(const Device& device, MemoryObject& memory, const MemoryObject::Mapping& mapping,
                   bool keepsContents) {
  const bool isBuffer = memory.type() == CL_MEM_OBJECT_BUFFER;
  auto command =
      makeRef<RecordedCommand>(device, isBuffer ? CL_COMMAND_MAP_BUFFER : CL_COMMAND_MAP_IMAGE);
  if (keepsContents)
    command->work = memory.moveMapped(device, mapping, MemoryObject::Direction::ToHost);
  command->use(Ref<MemoryObject>(&memory), accessOf(mapping, keepsContents || !isBuffer),
               memory.bytesOf(mapping));
  return command;
}

Recorded recordUnmap(const Device& device, MemoryObject& memory,
                     const MemoryObject::Mapping& mapping) {
  auto command = makeRef<RecordedCommand>(device, CL_COMMAND_UNMAP_MEM_OBJECT);
  if (mapping.writes)
    command->work = memory.moveMapped(device, mapping, MemoryObject::Direction::FromHost);
  command->use(Ref<MemoryObject>(&memory), accessOf(mapping, true), memory.bytesOf(mapping));
  return command;
}

} // namespace quern::runtime
