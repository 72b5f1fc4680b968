#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Multiplies elements of at most 16 significant bits, signed, in 32 bits instead of more where the
/// product is shifted right by more than 16. LLVM 22's x86 back end makes such a product, when it
/// is truncated to 16 bits, the high half of a product of 16 bits and shifts that: what it shifts
/// in is zero instead of the sign, and a shift by 32 or more leaves nothing that is defined.
class ShortProductsPass : public llvm::PassInfoMixin<ShortProductsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
