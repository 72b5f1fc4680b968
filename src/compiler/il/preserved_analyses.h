#pragma once

#include <llvm/IR/Analysis.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// What a pass preserves that changes instructions, if it `changed` any, and no edges between
/// blocks.
inline llvm::PreservedAnalyses preservedWithCfg(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace quern::compiler
