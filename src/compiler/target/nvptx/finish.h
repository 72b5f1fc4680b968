#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// What is left to say to the back end: where denormals may be flushed, and
/// that the driver's compiler may unroll loops that LLVM left alone.
class FinishNvptxPass : public llvm::PassInfoMixin<FinishNvptxPass> {
public:
  static constexpr Contract contract = {.required = {Property::NvptxAddressSpaces},
                                        .cleared = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
