#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// A region's accesses of local memory are not volatile: while it runs, nothing but the work-items
/// of one work-group can change that memory, which run on one thread, and no order between these is
/// promised. Programs for GPUs say volatile of what the threads of a warp exchange; packets would
/// make such an access for one work-item after the other. Where work-items may wait for each other
/// in a loop (each_item.h), as those do that write a tag until it is theirs, all stays as it is.
class LocalVolatilesPass : public llvm::PassInfoMixin<LocalVolatilesPass> {
public:
  static constexpr Contract contract = {.required = {Property::RegionsFormed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
