#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Deletes loops that end and whose only effect are counters, whose last values can be computed:
/// also such as pass their end by and wrap, which would run for years. Counters in private memory
/// become values first.
///
/// Whether a loop ends is what ScalarEvolution knows of how often it runs, `mustprogress`, which
/// clang gives to C++ for OpenCL but not to OpenCL C, or that it goes through the bits of a number
/// (BitLoop): these are then counted at once. It is asked only of loops without
/// effects of which nothing but counters is used: other kernels pay for one look at each
/// instruction.
///
/// LLVM's own passes do this as well, but later, when a loop over work-items or a packet's masks
/// are around the loop, and not at all in code of the baseline tier.
class IdleLoopsPass : public llvm::PassInfoMixin<IdleLoopsPass> {
public:
  static constexpr Contract contract = {
      .required = {Property::WorkItemBodies},
      .cleared = {Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
