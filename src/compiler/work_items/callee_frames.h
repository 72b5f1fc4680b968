#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Gives the large private variables of functions that are called a place in their callers, which
/// pass its address: in the end in kernels, which know how to keep them off the thread's stack.
/// Where a function calls itself, each call but the first has them on the stack.
/// Then says of which pointers these functions keep none, so that the variables behind them need
/// not outlive the regions that use them.
class CalleeFramesPass : public llvm::PassInfoMixin<CalleeFramesPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies},
                                        .cleared = {Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
