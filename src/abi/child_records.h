#pragma once

#include <cstdint>
#include <string_view>

/// What kernels that enqueue others (OpenCL C 3.0, 6.15.18) exchange with the runtime: memory that
/// both reach, one for each such launch, whose address is the kernel's last argument
/// (KernelDescription::childrenOffset). Kernels append records while they run, and the runtime
/// reads them when the launch has ended. The built-in library repeats the declarations
/// (builtins/include/child_records.h), so any change raises the versions of the kernels' ABIs.
namespace quern::abi {

/// What names a queue on the device in kernels: its number, from 1 on, above its size in bytes.
constexpr uint64_t deviceQueueBits(uint32_t number, uint32_t bytes) {
  return uint64_t{number} << 32 | bytes;
}

/// What names a block's kernel where it is enqueued.
constexpr uint64_t blockId(std::string_view kernelName) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char character : kernelName)
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  return hash;
}

/// What kernels may ask of a block's kernel.
struct BlockLimits {
  uint64_t id; ///< blockId
  uint32_t maxWorkGroupSize;
  uint32_t preferredWorkGroupMultiple;
  uint32_t subGroupSize;
  uint32_t reserved;
};

/// How long a command took whose event a kernel knows. Each event has a place in a table, by its
/// number, from the command's end on until another event with the same place ends.
struct EventTimes {
  uint64_t event; ///< 0 while the others change
  uint64_t ownNs;
  uint64_t completeNs; ///< with what the command's kernel enqueued
};
constexpr uint64_t eventTimesCount = 1 << 16;

/// What kernels read of their launch. A GPU has it in the host's memory, and reads it at once.
struct ChildLaunch {
  uint64_t defaultQueue; ///< 0: none
  uint64_t eventTimes;   ///< the address of the table
  uint64_t firstEvent;   ///< of the launch's own numbers for events, from 1 on
  uint64_t capacity;     ///< bytes of records
  uint64_t localMemBytes;
  uint32_t blockCount;
  uint32_t maxWorkGroupSizeOfAll; ///< work-items that every block may have in a work-group
  uint32_t wholeGroups;           ///< 1: work-groups must divide ranges
  uint32_t reserved;
};

/// At the beginning; behind it `blockCount` BlockLimits, then the records.
struct ChildRecords {
  ChildLaunch launch;
  uint64_t used; ///< bytes of records, of which there are 0 at first
};

enum class ChildRecordKind : uint32_t {
  Kernel,
  Marker,
  UserEvent, ///< makes `event`
  SetStatus, ///< of `event`, to `value`
  Retain,
  Release,
  CaptureTimes, ///< of `event`, to the address `value`
};

/// The next record is `bytes` bytes further, a multiple of 8. The number of an event that a record
/// makes follows from the record's place.
struct ChildRecord {
  uint32_t bytes;
  ChildRecordKind kind;
  uint64_t event; ///< of a command: the number that its event gets, or 0
  uint64_t value;
};

/// Of kernels and markers. Followed by `waitCount` numbers of events, `localCount` sizes of local
/// arguments and `literalBytes` bytes of the block.
struct ChildCommand {
  ChildRecord record;
  uint64_t queue;
  uint64_t block; ///< blockId
  uint32_t waitCount;
  uint32_t localCount;
  uint32_t literalBytes;
  uint32_t workDim;
  uint64_t offset[3];
  uint64_t global[3];
  uint64_t local[3]; ///< zeros: any
};

} // namespace quern::abi
