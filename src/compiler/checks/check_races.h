#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The check "races": work-items tell the device of each access of global and local memory, which
/// holds it against those of others since the last barrier. CheckBarriersPass tells it of barriers.
/// What an argument points at that the kernel only reads is left out, unless the launch has given
/// the same memory for another argument.
class CheckRacesPass : public llvm::PassInfoMixin<CheckRacesPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
