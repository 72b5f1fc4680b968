#pragma once

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class Loop;
class LPMUpdater;
} // namespace llvm

namespace quern::compiler {

/// Asks LLVM to unroll short loops with a known number of iterations completely, beyond what it
/// would do for a processor: a GPU has registers for the values, and local arrays become values by
/// it. Of other loops whose number of iterations is known when they begin, four iterations become
/// one.
class EagerUnrollingPass : public llvm::PassInfoMixin<EagerUnrollingPass> {
public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&);
};

} // namespace quern::compiler
