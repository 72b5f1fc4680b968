#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Makes llvm.ldexp with an exponent that is made of a whole number of the same type
/// (HardwareScalingPass) AVX-512's instruction, which takes that number, and rounds it down. LLVM's
/// back end would convert the number to an integer and back, vectors element by element.
///
/// Optimisations know nothing of the instruction.
class ScalingInstructionsPass : public llvm::PassInfoMixin<ScalingInstructionsPass> {
public:
  static constexpr Contract contract = {.cleared = {Property::OpenToOptimization}};

  explicit ScalingInstructionsPass(const PassSettings& settings);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool hasInstructions_;
};

} // namespace quern::compiler
