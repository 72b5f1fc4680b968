#include "compiler/il/work_item_functions.h"

#include <llvm/ADT/StringSwitch.h>

namespace quern::compiler {

std::optional<WorkItemFunction> workItemFunction(llvm::StringRef mangledName) {
  return llvm::StringSwitch<std::optional<WorkItemFunction>>(mangledName)
      .Case("_Z12get_work_dimv", WorkItemFunction::WorkDim)
      .Case("_Z15get_global_sizej", WorkItemFunction::GlobalSize)
      .Case("_Z13get_global_idj", WorkItemFunction::GlobalId)
      .Case("_Z14get_local_sizej", WorkItemFunction::LocalSize)
      .Case("_Z23get_enqueued_local_sizej", WorkItemFunction::EnqueuedLocalSize)
      .Case("_Z12get_local_idj", WorkItemFunction::LocalId)
      .Case("_Z14get_num_groupsj", WorkItemFunction::NumGroups)
      .Case("_Z12get_group_idj", WorkItemFunction::GroupId)
      .Case("_Z17get_global_offsetj", WorkItemFunction::GlobalOffset)
      .Case("_Z20get_global_linear_idv", WorkItemFunction::GlobalLinearId)
      .Case("_Z19get_local_linear_idv", WorkItemFunction::LocalLinearId)
      .Case("_Z18get_sub_group_sizev", WorkItemFunction::SubGroupSize)
      .Case("_Z22get_max_sub_group_sizev", WorkItemFunction::MaxSubGroupSize)
      .Case("_Z18get_num_sub_groupsv", WorkItemFunction::NumSubGroups)
      .Case("_Z27get_enqueued_num_sub_groupsv", WorkItemFunction::EnqueuedNumSubGroups)
      .Case("_Z16get_sub_group_idv", WorkItemFunction::SubGroupId)
      .Case("_Z22get_sub_group_local_idv", WorkItemFunction::SubGroupLocalId)
      .Default(std::nullopt);
}

uint64_t valueOutOfRange(WorkItemFunction function) {
  switch (function) {
  case WorkItemFunction::GlobalSize:
  case WorkItemFunction::LocalSize:
  case WorkItemFunction::EnqueuedLocalSize:
  case WorkItemFunction::NumGroups:
    return 1;
  default:
    return 0;
  }
}

llvm::Value* selectDimension(llvm::IRBuilder<>& builder, WorkItemFunction function,
                             llvm::Value* dimension,
                             llvm::function_ref<llvm::Value*(unsigned dimension)> inDimension) {
  llvm::Value* result = builder.getInt64(valueOutOfRange(function));
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dimension)) {
    const uint64_t number = constant->getZExtValue();
    return number < maxDimensions ? inDimension(number) : result;
  }
  for (unsigned number = 0; number < maxDimensions; ++number)
    result = builder.CreateSelect(
        builder.CreateICmpEQ(dimension, llvm::ConstantInt::get(dimension->getType(), number)),
        inDimension(number), result);
  return result;
}

llvm::Value* globalLinearId(
    llvm::IRBuilder<>& builder,
    llvm::function_ref<llvm::Value*(WorkItemFunction function, unsigned dimension)> inDimension) {
  const auto relative = [&](unsigned dimension) {
    return builder.CreateSub(inDimension(WorkItemFunction::GlobalId, dimension),
                             inDimension(WorkItemFunction::GlobalOffset, dimension));
  };
  llvm::Value* id = relative(2);
  for (unsigned dimension : {1u, 0u})
    id = builder.CreateAdd(
        builder.CreateMul(id, inDimension(WorkItemFunction::GlobalSize, dimension)),
        relative(dimension));
  return id;
}

bool isBarrier(llvm::StringRef mangledName) {
  return llvm::StringSwitch<bool>(mangledName)
      .Cases({"_Z7barrierj", "_Z18work_group_barrierj", "_Z18work_group_barrierj12memory_scope"},
             true)
      .Default(false);
}

bool isSubGroupBarrier(llvm::StringRef mangledName) {
  return mangledName == "_Z17sub_group_barrierj" ||
         mangledName == "_Z17sub_group_barrierj12memory_scope";
}

} // namespace quern::compiler
