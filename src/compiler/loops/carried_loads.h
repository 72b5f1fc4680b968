#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// LLVM's LoopLoadEliminationPass, by which an iteration gets what the one before stored in a
/// register, in functions where a loop may do so: the pass looks for all dependences of all loops
/// before it asks for that, which takes a tenth of the time of all other passes.
class CarriedLoadsPass : public llvm::PassInfoMixin<CarriedLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
