#pragma once

#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Marks the functions that must become part of their callers before work-groups are formed, for
/// LLVM's always-inliner: those that ask for ids, synchronise, print or have local or large private
/// variables, directly or through what they call. Reports an error for such a function that calls
/// itself, which OpenCL C forbids (6.9, "Restrictions"). Also marked are functions that take
/// pointers that may be private, so that variables can become values, and others of the program's
/// that are not huge.
class MarkCalleesPass : public llvm::PassInfoMixin<MarkCalleesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
