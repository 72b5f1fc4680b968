#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/StringRef.h>

namespace quern::compiler {

/// The work-item functions of OpenCL C (6.15.1, and 6.15.19 for sub-groups).
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
  SubGroupSize,
  MaxSubGroupSize,
  NumSubGroups,
  EnqueuedNumSubGroups,
  SubGroupId,
  SubGroupLocalId,
};

/// memory_scope_work_group and memory_scope_sub_group of OpenCL C, as the front end numbers them.
/// Scopes between the two are wider than a work-group.
inline constexpr unsigned workGroupScope = 1, subGroupScope = 4;

/// The work-item function of a mangled name.
std::optional<WorkItemFunction> workItemFunction(llvm::StringRef mangledName);

/// What a dimension of 3 or more gives: 0 for ids and offsets, 1 for sizes and counts.
uint64_t valueOutOfRange(WorkItemFunction function);

/// Whether `mangledName` is one of the forms of barrier and work_group_barrier.
bool isBarrier(llvm::StringRef mangledName);
/// The same for sub_group_barrier.
bool isSubGroupBarrier(llvm::StringRef mangledName);

} // namespace quern::compiler
