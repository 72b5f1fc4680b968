#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Hides from the back end where the elements of a shuffle or a truncation come from, if they are
/// loaded under the mask by which the result is chosen. LLVM 22 takes a load under the mask of an
/// instruction of AVX-512 for the memory operand of that: shuffles read all of it, whatever the
/// mask says, so that work-items which are off had the process end with a fault.
class MaskedShufflesPass : public llvm::PassInfoMixin<MaskedShufflesPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  explicit MaskedShufflesPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool hasMasks_;
};

} // namespace quern::compiler
