#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Unrolls loops of a constant, small number of iterations in which the index of a private array
/// depends on the iteration, where that leaves the array with constant indices only: then its
/// elements become values. The same for short loops of a constant, small number of
/// iterations that ask for it (llvm.loop.unroll.full); longer ones are not unrolled later, either.
/// Loops with barriers stay loops.
class UnrollArrayLoopsPass : public llvm::PassInfoMixin<UnrollArrayLoopsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
