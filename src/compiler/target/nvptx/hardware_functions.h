#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes functions of float of the built-in library, scalar and vector ones, of the GPU's own
/// instructions for them: those that may be as imprecise, native_ and relaxed ones, and rsqrt; and
/// puts instructions where the library asks for them (builtins/include/nvptx_instructions.h).
class HardwareFunctionsPass : public llvm::PassInfoMixin<HardwareFunctionsPass> {
public:
  static constexpr Contract contract = {.required = {Property::NothingAssumed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
