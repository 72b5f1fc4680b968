#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// LLVM's InstCombine, but for one thing: numbers of 32 bits are not calculated in 64 because they
/// are an index in the end. That a program's `int` does not wrap, which is what makes the elements
/// of neighbouring work-items neighbours, cannot be said of the 64 bits any more; with a width that
/// is a constant, `in[y * 1000 + x]` would be a number whose upper half is thrown away.
class CombineInstructionsPass : public llvm::PassInfoMixin<CombineInstructionsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::OpenToOptimization},
      .cleared = {Property::NotCombined, Property::NothingAssumed, Property::SafeDivisions,
                  Property::BarriersIsolated, Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
