#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Accesses of local memory are not volatile: between two barriers nothing but the work-items of
/// one work-group can change it, which run on one thread, and no order between these is promised.
/// Programs for GPUs say volatile of what the threads of a warp exchange; packets would make such
/// an access for one work-item after the other.
class LocalVolatilesPass : public llvm::PassInfoMixin<LocalVolatilesPass> {
public:
  static constexpr Contract contract = {.required = {Property::WorkItemBodies}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
