#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Turns each call of printf in a work-item body, or in one that is called, into a record
/// (abi/printf_record.h) on the stack and a call of LaunchInfo::print, whose result is printf's.
class LowerPrintfPass : public llvm::PassInfoMixin<LowerPrintfPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies},
                                        .cleared = {Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
