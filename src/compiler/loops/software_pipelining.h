#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Runs the first stage of each iteration of a loop together with the second stage of the iteration
/// before, where an iteration is a long chain of vector operations that wait for each other
/// (pipeline_stages.h): a processor looks ahead over few iterations, so that it finds twice as much
/// that it can begin.
///
/// The loop is entered with the first stage of its first iteration made and left before the second
/// stage of its last one, so that nothing is computed that was not before.
class SoftwarePipeliningPass : public llvm::PassInfoMixin<SoftwarePipeliningPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::EntriesMade},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed, Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
