#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Makes one store of several that are the last thing that the ways to a block do, all to the same
/// place, as in `if (isInside) out[i] = f(i); else out[i] = 0;`. A packet then stores once for all
/// of its work-items, without a mask. LLVM's own pass would also join stores to different places,
/// which are neighbours in each of the two and no longer in both together.
/// InstCombine may fold what both ways compute alike into different things.
class CommonStoresPass : public llvm::PassInfoMixin<CommonStoresPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues, Property::NotCombined},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace quern::compiler
