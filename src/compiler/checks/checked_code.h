#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Marks what the program itself wrote, as opposed to the built-in library, which becomes part of
/// the same functions: accesses and variables with the metadata names::checkedMetadata. An address
/// that the library reads from the description of an image is none that the program could get
/// wrong.
class MarkCheckedCodePass : public llvm::PassInfoMixin<MarkCheckedCodePass> {
public:
  static constexpr Contract contract = {.required = {Property::NothingAssumed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
