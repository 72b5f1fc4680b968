#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Turns each kernel K into a work-item body K.item, which runs one work-item: its position in the
/// NDRange and the memory of its work-group become parameters (ImplicitArgument), work-item
/// functions become arithmetic on them, barriers become calls of `quern.barrier`, and arguments
/// passed by value in memory become private copies.
class WorkItemBodiesPass : public llvm::PassInfoMixin<WorkItemBodiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
