#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Runs the first half of each round of a loop together with the second half of the round before,
/// where a round is a long chain of vector operations that wait for each other (round_halves.h): a
/// processor looks ahead over few rounds, so that it finds twice as much that it can begin.
///
/// The loop is entered with the first half of its first round made and left before the second half
/// of its last one, so that nothing is computed that was not before. Runs after all optimisations.
class OverlappedRoundsPass : public llvm::PassInfoMixin<OverlappedRoundsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
