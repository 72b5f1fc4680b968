#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets calls by pointers call functions of all modules that the program was linked from, for which
/// the reader of each module knew its own only (il/function_pointers.h).
class FunctionPointersPass : public llvm::PassInfoMixin<FunctionPointersPass> {
public:
  static constexpr Contract contract = {.required = {Property::AsFrontEndMade}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
