#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The check "arithmetic", in functions of the program: divisions by zero and those whose result
/// their type does not have, shifts by the width or more, and conversions of floating-point numbers
/// to integers that cannot hold them. What is done then stays as it is.
class CheckArithmeticPass : public llvm::PassInfoMixin<CheckArithmeticPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::NothingAssumed},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
