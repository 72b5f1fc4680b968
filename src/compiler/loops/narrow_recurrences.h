#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Before LLVM's loop vectoriser. It takes the course of a number through a loop for an even one
/// though the number may wrap, where a test before the loop can tell that it does not. In LLVM 22
/// the test for a wide number stands for that of a narrow one which begins no higher
/// (SCEVWrapPredicate::implies), though the narrow one wraps sooner: of `a[64 * y + (x + i) % 64]`
/// it reads 64 neighbours. So where a loop has such numbers of several widths, the narrow ones are
/// frozen, of which that analysis makes nothing.
class NarrowRecurrencesPass : public llvm::PassInfoMixin<NarrowRecurrencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
