#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Calls of names::checkFault and its like become calls of what the device has (abi::checkSymbols),
/// with the launch and the ids of the work-item. A function that is not part of a kernel does not
/// know them, and says so.
class LowerChecksPass : public llvm::PassInfoMixin<LowerChecksPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
