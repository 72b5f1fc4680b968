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

} // namespace quern::compiler
