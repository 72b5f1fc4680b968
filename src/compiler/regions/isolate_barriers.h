#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Puts every barrier of a work-item body into a block of its own with one successor that has no
/// other predecessor, gathers private variables at the function's start and drops unreachable code.
/// RegionGraph is made of such functions.
class IsolateBarriersPass : public llvm::PassInfoMixin<IsolateBarriersPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .set = {Property::BarriersIsolated},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
