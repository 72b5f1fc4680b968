#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes four iterations one in loops `for (i = start; i < bound; i += step)` whose step is known
/// only when they begin, so that their number of iterations would take a division to find out:
/// mostly those in which all work-items of a launch walk over memory together. The loads of the
/// four iterations are then under way at the same time, so only loops that write to local memory at
/// most are worth it. The last iterations, fewer than four, are made by the loop as it was.
class StridedUnrollingPass : public llvm::PassInfoMixin<StridedUnrollingPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::OpenToOptimization},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
