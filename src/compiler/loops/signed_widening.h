#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Makes `zext nneg` a `sext`, which is the same for the numbers that it may have. LLVM prefers the
/// first where it knows, behind a condition with constants for example, that a number is not
/// negative. Then one index may have two forms on the sides of a branch, of which LLVM makes one
/// access at a place that it cannot tell any more. Sums that do not wrap as signed numbers say
/// nothing of a `zext`, either.
class SignedWideningPass : public llvm::PassInfoMixin<SignedWideningPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
