#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// For the check "races": where all that a kernel does to the memory of an argument is done to the
/// element that has the work-item's global id in dimension 0, no two work-items of a launch with
/// one row can meet there. The device is then told of it in other launches alone, and where the
/// launch has given the same memory for another argument.
class OwnElementsPass : public llvm::PassInfoMixin<OwnElementsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
