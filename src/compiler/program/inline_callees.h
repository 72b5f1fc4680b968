#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"
#include "compiler/passes/settings.h"

namespace quern::compiler {

/// Marks the functions that become part of their callers, for LLVM's always-inliner: those in which
/// work-items meet, because kernels are cut into regions there; those whose code is better as part
/// of the kernel, because they ask for ids, print or take pointers that may be private, unless they
/// are too large and too often called in a kernel that is too large; others of the program's that
/// are not large; and those that are but a few operations of which indices are made. A function
/// that calls itself stays one. OpenCL C forbids such functions (6.9, "Restrictions"); an error is
/// reported of those in which work-items meet, of kernels, and of all on GPUs, where nobody knows
/// how large the stack must be.
class MarkCalleesPass : public llvm::PassInfoMixin<MarkCalleesPass> {
public:
  static constexpr Contract contract = {.required = {Property::KernelsPrepared},
                                        .cleared = {Property::CalleesInlined}};

  /// PassSettings::inlinesLeast: only those that cannot be called.
  explicit MarkCalleesPass(const PassSettings& settings) : marksLeast_(settings.inlinesLeast) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

private:
  bool marksLeast_;
};

} // namespace quern::compiler
