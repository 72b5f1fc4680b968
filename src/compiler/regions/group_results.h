#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Votes and broadcasts of work-groups need no operands of all work-items: the work-item that all
/// ask, or any whose predicate decides a vote, stores the result where all load it. Behind this
/// pass such a collective function (il/boundary.h) has a result but no operands. What a
/// vote gives where nobody decides it is stored before (codegen/work_group_function.cpp). Kernels
/// whose sub-groups meet keep the operands.
class GroupResultsPass : public llvm::PassInfoMixin<GroupResultsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .cleared = {Property::BarriersIsolated, Property::VariablesAreValues,
                  Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
