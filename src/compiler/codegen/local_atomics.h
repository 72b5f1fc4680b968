#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes atomic operations on local memory plain ones: a work-group runs on one thread, so nobody
/// else sees its local memory. Of other accesses regions say that those of different work-items are
/// independent (regions/independent_accesses.h); these are not.
class LocalAtomicsPass : public llvm::PassInfoMixin<LocalAtomicsPass> {
public:
  static constexpr Contract contract = {.required = {Property::EntriesMade}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
