#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Adds in 64 bits what a loop adds to an index in 32, where the program promises that the sum does
/// not wrap (nsw): a constant, or what is the same in all iterations, which are extended before the
/// loop. The elements `a[row + (i - 1)]` and `a[row + i]` are neighbours then, of which one
/// iteration may hand to the next what it stored (carried_loads.h). LLVM's
/// ReassociatePass, which sums up what does not change, makes the rest lose that promise.
class WideSumsPass : public llvm::PassInfoMixin<WideSumsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
