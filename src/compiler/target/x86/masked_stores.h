#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes a masked store of one known element a plain store of that element. LLVM 22's x86-64 back
/// end does so too, but for AVX-512 it then stores all bits of a number that is truncated there.
class MaskedStoresPass : public llvm::PassInfoMixin<MaskedStoresPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
