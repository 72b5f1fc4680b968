#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The check "barriers", which "races" needs, too: work-items tell the device of each barrier and
/// collective function of the work-group that they reach, and of their end. A kernel that has
/// neither, nor local memory, tells nothing.
class CheckBarriersPass : public llvm::PassInfoMixin<CheckBarriersPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
