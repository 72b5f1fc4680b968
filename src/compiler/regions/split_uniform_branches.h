#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Where all work-items of a group decide together, before they do anything else, what to do behind
/// a barrier, as at the head of a loop around it, no packet needs to test it again: barriers of our
/// own make each successor from there a region for itself. Then packets only see one of them, and
/// what several regions would begin with is one region.
class SplitUniformBranchesPass : public llvm::PassInfoMixin<SplitUniformBranchesPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::BarriersIsolated},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
