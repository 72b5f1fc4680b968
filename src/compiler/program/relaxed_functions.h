#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Where the build options allow approximate functions (the flag `afn` of a call), replaces calls
/// of float's mathematical functions by calls of the built-in library's faster ones, and of sqrt
/// and rsqrt by instructions that the back end may approximate.
class RelaxedFunctionsPass : public llvm::PassInfoMixin<RelaxedFunctionsPass> {
public:
  static constexpr Contract contract = {.required = {Property::AsFrontEndMade}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
