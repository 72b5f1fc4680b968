#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets the work-items of a sub-group that diverge within a loop meet again before its next
/// iteration, so that functions of those "that are there" count the same work-items as on a device
/// that runs them side by side: adds a barrier of the sub-group at the end of loops in which
/// sub-groups meet.
class SubGroupLoopsPass : public llvm::PassInfoMixin<SubGroupLoopsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .cleared = {Property::BarriersIsolated, Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
