#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Reports an error for program-scope objects of C++ for OpenCL whose constructors could not be run
/// by the compiler: no device runs code before the first kernel.
class InitializersPass : public llvm::PassInfoMixin<InitializersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
