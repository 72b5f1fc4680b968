#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes values of private variables that hold a pointer and nothing else, so that checks see what
/// accesses go to. All other variables stay, for the check of what was never written.
class PromotePointersPass : public llvm::PassInfoMixin<PromotePointersPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
