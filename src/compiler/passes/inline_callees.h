#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Marks the functions that must become part of their callers before work-groups are formed, and every other one of the
/// program's that is not huge; LLVM's always-inliner then does the work. It must be those that ask for ids, synchronise, print, use
/// local variables or take pointers that may be private, directly or through what they call. Reports an error for such a
/// function that calls itself, which OpenCL C forbids (6.9, "Restrictions").
class MarkCalleesPass : public llvm::PassInfoMixin<MarkCalleesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
