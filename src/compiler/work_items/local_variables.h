#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Gives every local variable that a work-item body uses a place in the work-group's local memory.
/// The layout is the kernel's own: two kernels that share a called function share no variable. The
/// total goes to localBytesAttribute. Where work-groups have just one work-item, small variables
/// become private ones.
class LocalVariablesPass : public llvm::PassInfoMixin<LocalVariablesPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies},
                                        .set = {Property::LocalMemoryPlaced},
                                        .cleared = {Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
