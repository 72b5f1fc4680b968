#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets work-items that pass by a barrier wait where their paths join those of the others. A branch
/// that work-items of a group take differently must not lead to a barrier, says the specification;
/// programs for GPUs in lockstep do it all the same, and read behind the branch what the others
/// have written within. A barrier of our own begins such a join, unless nothing happens there
/// before the next barrier or the end: who returned is not waited for.
class ReconvergePass : public llvm::PassInfoMixin<ReconvergePass> {
public:
  static constexpr Contract contract = {
      .required = {Property::BarriersIsolated},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
