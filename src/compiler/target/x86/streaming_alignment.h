#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Lets nontemporal stores of whole vectors (il/streaming.h) go past the caches where their
/// addresses are aligned, for which they test before each, and else store as usual: x86 has no
/// instruction for others, and LLVM would store element by element. What they stored is visible to
/// other threads when the function returns, which x86 does not promise without a fence.
///
/// Optimisations would make one of the two stores again.
class StreamingAlignmentPass : public llvm::PassInfoMixin<StreamingAlignmentPass> {
public:
  static constexpr Contract contract = {
      .cleared = {Property::OpenToOptimization, Property::LoopsSimplified, Property::LoopsClosed}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace quern::compiler
