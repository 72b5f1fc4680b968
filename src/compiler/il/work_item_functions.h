#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/StringRef.h>

namespace quern::compiler {

/// The work-item functions of OpenCL C (6.15.1).
enum class WorkItemFunction : uint8_t {
  WorkDim,
  GlobalSize,
  GlobalId,
  LocalSize,
  EnqueuedLocalSize,
  LocalId,
  NumGroups,
  GroupId,
  GlobalOffset,
  GlobalLinearId,
  LocalLinearId,
};

/// The work-item function of a mangled name.
std::optional<WorkItemFunction> workItemFunction(llvm::StringRef mangledName);

/// What a dimension of 3 or more gives: 0 for ids and offsets, 1 for sizes and counts.
uint64_t valueOutOfRange(WorkItemFunction function);

/// Whether `mangledName` is one of the forms of barrier and work_group_barrier.
bool isBarrier(llvm::StringRef mangledName);

} // namespace quern::compiler
