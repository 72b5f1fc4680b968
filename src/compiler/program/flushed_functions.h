#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Turns the front end's attribute for -cl-denorms-are-zero into flushDenormalsAttribute, which,
/// unlike that one, does not keep functions of the built-in library from being inlined.
class MarkFlushedFunctionsPass : public llvm::PassInfoMixin<MarkFlushedFunctionsPass> {
public:
  static constexpr Contract contract = {.required = {Property::AsFrontEndMade}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
