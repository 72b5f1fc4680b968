#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Asks LLVM to unroll loops once whose rounds will overlap (overlapped_rounds.h) and are so short
/// that two rounds at a time fill a processor better. Unlike more packets, more rounds need no
/// further registers for what the loop reads and adds up.
///
/// Leaves alone what the program wants unrolled, or not, and functions that are long already.
class PairRoundsPass : public llvm::PassInfoMixin<PairRoundsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
