#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Finds out which bytes of its buffers a kernel reads and writes, as a function of the work-groups
/// that run, and whether work-groups can tell what others do: names::footprintAttribute of the
/// work-item body says so (abi/footprint.h).
///
/// Barriers, also of global memory, tie nothing: they order what one work-group does. Neither do
/// fences, without an atomic operation or a volatile access that another work-group sees, nor
/// printf, whose lines come in no order.
class FootprintsPass : public llvm::PassInfoMixin<FootprintsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
