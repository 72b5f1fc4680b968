#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// What is left to say to the back end after all optimisations: where denormals may be flushed, and
/// that the driver's compiler may unroll loops that LLVM left alone.
class FinishNvptxPass : public llvm::PassInfoMixin<FinishNvptxPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
