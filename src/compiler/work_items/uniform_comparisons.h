#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Takes out of comparisons what is different for each work-item but the same on both sides, where
/// what is left is the same for all work-items of a group: `i <= x + r` in a loop that begins at
/// `i = x - r`, where `x` is a global id, becomes a comparison of the number of the iteration with
/// `2 * r`. So loops over a work-item's neighbours run together, without masks.
///
/// Sums are compared as whole numbers, which they are where signed overflow is undefined.
class UniformComparisonsPass : public llvm::PassInfoMixin<UniformComparisonsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies, Property::VariablesAreValues}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
