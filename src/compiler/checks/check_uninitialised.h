#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The check "uninitialised": values of private variables that were never written and that decide a
/// branch, are part of an address, or are stored to memory that others read. Each variable gets
/// another one of the same size, whose bytes say which of its own were not written, and each value
/// that may come from one a flag.
class CheckUninitialisedPass : public llvm::PassInfoMixin<CheckUninitialisedPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::NotCombined},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
