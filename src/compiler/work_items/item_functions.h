#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Turns each kernel K into an item function K.item, which runs one work-item: its position in the
/// NDRange and the memory of its work-group become parameters (Hidden), work-item functions become
/// arithmetic on them, barriers become calls of `quern.barrier`, and arguments passed by value in
/// memory become private copies.
class ItemFunctionsPass : public llvm::PassInfoMixin<ItemFunctionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
