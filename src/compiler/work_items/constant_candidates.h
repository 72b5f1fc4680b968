#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Finds arguments of work-item bodies whose values, as constants, make better code: divisors
/// whatever they are (names::divisorArgumentsAttribute); what ids are multiplied with, and limits
/// of loops that begin at a constant, where they are small (names::smallArgumentsAttribute). Finds,
/// too, whether it helps to know that ids begin at 0 (names::seesOffsetAttribute).
class ConstantCandidatesPass : public llvm::PassInfoMixin<ConstantCandidatesPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
