#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Gives functions that were not inlined parameters for what only kernels know: the results of
/// work-item functions that they call, local variables that they name, where printf writes to
/// (names::printer) and what address spaces are told apart by (names::groupScratch). Callers ask in
/// their place, so that in the end only kernels do.
class WorkItemParametersPass : public llvm::PassInfoMixin<WorkItemParametersPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::KernelsPrepared, Property::CalleesInlined}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
