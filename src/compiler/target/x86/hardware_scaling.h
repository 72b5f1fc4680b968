#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes the built-in library's multiplications by powers of 2 (names::scaled) llvm.ldexp, of an
/// exponent in floating point, for processors that have an instruction for it
/// (ScalingInstructionsPass): AVX-512. Elsewhere that would be a call for each number.
class HardwareScalingPass : public llvm::PassInfoMixin<HardwareScalingPass> {
public:
  static constexpr Contract contract = {.required = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
