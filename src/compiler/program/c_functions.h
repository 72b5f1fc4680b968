#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Calls of mathematical functions of C's library that the program does not define become calls of
/// the built-in library's. So do LLVM's intrinsics and instructions for them that some machine has
/// no instruction for. Clang's built-in functions (`__builtin_sinf`, `__builtin_elementwise_sin`)
/// and modules of SPIR-V that import `fma` and its like have such calls. What takes pointers in C
/// is not among them.
class CFunctionsPass : public llvm::PassInfoMixin<CFunctionsPass> {
public:
  static constexpr Contract contract = {.required = {Property::AsFrontEndMade}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
