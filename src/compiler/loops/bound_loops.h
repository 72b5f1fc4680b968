#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Keeps LLVM's loop passes within bounds of time and size: an unroll hint that would make a loop
/// nest larger than any machine's instruction cache is replaced by a moderate one, and a loop whose
/// body is too long for the vectoriser, whose time grows with the square of the length, is not
/// offered to it, and loops of unknown length are only unrolled where they and their function are
/// short.
class BoundLoopsPass : public llvm::PassInfoMixin<BoundLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
