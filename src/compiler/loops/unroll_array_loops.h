#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Unrolls loops of a constant, small number of iterations in which the index of a private array
/// depends on the iteration, where that leaves the array with constant indices only: then its
/// elements become values. Loops with barriers stay loops.
class UnrollArrayLoopsPass : public llvm::PassInfoMixin<UnrollArrayLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
