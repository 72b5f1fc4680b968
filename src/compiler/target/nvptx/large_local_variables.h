#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Moves the local variables of kernels that have more than 48 KiB of them to the start of the
/// work-group's dynamic memory: the driver's compiler allows no more for variables, whatever the
/// GPU has. Their total goes to localBytesAttribute.
class LargeLocalVariablesPass : public llvm::PassInfoMixin<LargeLocalVariablesPass> {
public:
  static constexpr Contract contract = {.required = {Property::NvptxKernels}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
