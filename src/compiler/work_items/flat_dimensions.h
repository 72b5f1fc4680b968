#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Finds the dimensions in which the work-items of a kernel cannot tell where a work-group begins
/// or ends (names::flatAttribute): they ask for nothing there but their global ids, they share no
/// local memory and do not meet. Before, and in all kernels: the sum of the local id and the
/// group's id times the local size becomes the global id without its offset.
///
/// Where a dimension of which the groups have one work-item is flat, the group's id is a global id,
/// too. Where it is not, nothing varies over work-items there.
class FlatDimensionsPass : public llvm::PassInfoMixin<FlatDimensionsPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
