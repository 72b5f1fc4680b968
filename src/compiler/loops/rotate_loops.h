#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// LLVM's rotation of loops without what its own pass keeps up to date: of the scalar evolution it
/// forgets all that depends on a loop when it turns that, and of the dominator tree it makes most
/// anew. With hundreds of loops one behind the other that takes a time that grows with the square
/// of their number, a third of what the code of the baseline tier of a kernel of 5,000 lines takes.
class RotateLoopsPass : public llvm::PassInfoMixin<RotateLoopsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::LoopsSimplified, Property::LoopsClosed},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
