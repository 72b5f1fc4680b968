#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets entries with flushDenormalsAttribute run with subnormal operands and results taken for
/// zero, which spares some processors a slow path, and restores the state at the end. LLVM knows
/// nothing of the state.
class FlushDenormalsPass : public llvm::PassInfoMixin<FlushDenormalsPass> {
public:
  static constexpr Contract contract = {.required = {Property::EntriesMade},
                                        .cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
