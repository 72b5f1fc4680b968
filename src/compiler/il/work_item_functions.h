#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Of an NDRange.
inline constexpr unsigned maxDimensions = 3;

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

/// The 64-bit result of a call of `function` for a `dimension` that need not be known:
/// `inDimension` makes the value of each.
llvm::Value* selectDimension(llvm::IRBuilder<>& builder, WorkItemFunction function,
                             llvm::Value* dimension,
                             llvm::function_ref<llvm::Value*(unsigned dimension)> inDimension);

/// The 64-bit result of get_global_linear_id (OpenCL C, 6.15.1), from the value that `inDimension`
/// makes of GlobalId, GlobalOffset or GlobalSize in a dimension.
llvm::Value* globalLinearId(
    llvm::IRBuilder<>& builder,
    llvm::function_ref<llvm::Value*(WorkItemFunction function, unsigned dimension)> inDimension);

/// Whether `mangledName` is one of the forms of barrier and work_group_barrier.
bool isBarrier(llvm::StringRef mangledName);
/// The same for sub_group_barrier.
bool isSubGroupBarrier(llvm::StringRef mangledName);

} // namespace quern::compiler
