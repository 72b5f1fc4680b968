#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// The part of the check "barriers" for copies that a work-group makes (async_work_group_copy and
/// its like), in functions of the program: work-items tell the device of each with what it copies,
/// and of each event that they wait for. A copy without an event gets one of its own, which is the
/// number of the call in the module.
class CheckCopiesPass : public llvm::PassInfoMixin<CheckCopiesPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::OpaqueTypesLowered, Property::NothingAssumed},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
