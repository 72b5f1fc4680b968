#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// In a loop, one counter for all those that are always the same number apart: what the packets of
/// a tile count, each for itself, keeps one register busy instead of one for each packet, and
/// addresses become one with constant offsets.
class CongruentInductionVariablesPass
    : public llvm::PassInfoMixin<CongruentInductionVariablesPass> {
public:
  static constexpr Contract contract = {.required = {Property::OpenToOptimization},
                                        .cleared = {Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
