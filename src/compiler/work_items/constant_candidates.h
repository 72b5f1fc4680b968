#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Finds arguments of work-item bodies whose values, as constants, make better code: divisors
/// whatever they are (names::divisorArgumentsAttribute); what ids are multiplied with, and limits
/// of loops that begin at a constant, where they are small (names::smallArgumentsAttribute). Finds,
/// too, whether it helps to know that ids begin at 0 (names::seesOffsetAttribute). On work-item
/// bodies whose variables are values.
class ConstantCandidatesPass : public llvm::PassInfoMixin<ConstantCandidatesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
