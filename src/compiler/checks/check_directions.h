#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The part of the check "arguments" for buffers that the program has made CL_MEM_READ_ONLY or
/// CL_MEM_WRITE_ONLY: a kernel that goes in the other direction is reported, and does so.
class CheckDirectionsPass : public llvm::PassInfoMixin<CheckDirectionsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
