#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Lets entries with flushDenormalsAttribute run with subnormal operands and results taken for
/// zero, which spares some processors a slow path, and restores the state at the end. Runs after
/// all other passes, since LLVM knows nothing of the state.
class FlushDenormalsPass : public llvm::PassInfoMixin<FlushDenormalsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
