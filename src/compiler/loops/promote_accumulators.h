#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Keeps what a loop reads and writes at an address that its iterations share in a register while
/// the loop runs, as LLVM's LICM does. That comes too late for packets: there the address varies
/// over work-items, and each iteration would gather and scatter. A loop that may end before its
/// first iteration is rotated, since it must not write what it did not write before.
class PromoteAccumulatorsPass : public llvm::PassInfoMixin<PromoteAccumulatorsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
