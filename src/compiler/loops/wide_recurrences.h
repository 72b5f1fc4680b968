#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Counts a number that a loop counts on from one iteration to the next, and that is part of an
/// address, in 64 bits from the sum of wide terms on: in `for (int p = y * pitch + x;; p += pitch)`
/// the numbers of neighbouring work-items are neighbours then. LLVM's IndVarSimplifyPass widens it,
/// too, but makes what it begins with lose the program's promise that it does not wrap (nsw), from
/// which this follows. Loops without a preheader stay as they are.
class WideRecurrencesPass : public llvm::PassInfoMixin<WideRecurrencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
