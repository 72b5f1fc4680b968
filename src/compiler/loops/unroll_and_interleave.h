#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/passes/contract.h"

namespace quern::compiler {

/// Asks LLVM to unroll loops once whose iterations will overlap (software_pipelining.h) and are so
/// short that two iterations at a time fill a processor better. Unlike more packets, more
/// iterations need no further registers for what the loop reads and adds up.
///
/// Leaves alone what the program wants unrolled, or not, and functions that are long already.
class UnrollAndInterleavePass : public llvm::PassInfoMixin<UnrollAndInterleavePass> {
public:
  static constexpr Contract contract = {.required = {Property::OpenToOptimization}};

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace quern::compiler
