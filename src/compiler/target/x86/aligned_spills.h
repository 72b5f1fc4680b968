#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Has the stack realigned in functions with vectors of more than the 16 bytes to which it is
/// aligned. LLVM finds out that such vectors do not fit the registers when it can no longer do so,
/// and spills them to places that cross the lines of the cache.
class AlignedSpillsPass : public llvm::PassInfoMixin<AlignedSpillsPass> {
public:
  static constexpr Contract contract = {.required = {Property::EntriesMade}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
