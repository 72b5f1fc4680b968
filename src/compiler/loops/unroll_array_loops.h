#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Unrolls loops of a constant, small number of iterations in which the index of a private array
/// depends on the iteration, where that leaves the array with constant indices only: then its
/// elements become values. So does it loops of a constant, small number of iterations that ask for
/// it (llvm.loop.unroll.full), before packets are made of their values. Loops with barriers stay
/// loops.
class UnrollArrayLoopsPass : public llvm::PassInfoMixin<UnrollArrayLoopsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
