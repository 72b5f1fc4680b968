#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The check "memory": accesses outside of the object that their address was made from, and those
/// at addresses that are no multiple of their alignment. One that would go wrong is reported and
/// not made: a load then gives 0. What lies in a variable at a known place needs no check.
class CheckMemoryPass : public llvm::PassInfoMixin<CheckMemoryPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::NotCombined},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
