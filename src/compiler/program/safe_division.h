#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes integer division and remainder defined for every operand, as OpenCL C asks (6.4,
/// "Operators"): a zero divisor and the smallest number divided by -1 give an unspecified value and
/// never trap. Both get the divisor 1. An optimisation would take the absence of such operands for
/// granted.
class SafeDivisionPass : public llvm::PassInfoMixin<SafeDivisionPass> {
public:
  static constexpr Contract contract = {.required = {Property::NothingAssumed},
                                        .set = {Property::SafeDivisions}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
