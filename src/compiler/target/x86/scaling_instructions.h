#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

namespace quern::compiler {

/// Makes llvm.ldexp with an exponent that is made of a whole number of the same type
/// (HardwareScalingPass) AVX-512's instruction, which takes that number, and rounds it down. LLVM's
/// back end would convert the number to an integer and back, vectors element by element.
///
/// Runs after all optimisations, which know nothing of the instruction.
class ScalingInstructionsPass : public llvm::PassInfoMixin<ScalingInstructionsPass> {
public:
  explicit ScalingInstructionsPass(const llvm::TargetMachine& machine);
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool hasInstructions_;
};

} // namespace quern::compiler
