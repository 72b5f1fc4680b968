#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Reports an error for every function that is called and neither defined by the program nor built
/// in, and for inline assembly, which OpenCL C does not have.
class UndefinedFunctionsPass : public llvm::PassInfoMixin<UndefinedFunctionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Whether nothing is undefined, nor left for the program's start, in a module whose calls of
/// work-item functions are not lowered yet. False where only later steps can tell.
bool isSurelyDefined(const llvm::Module& module);

} // namespace quern::compiler
