#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace quern::compiler {

/// Instructions of a loop's header that may be there twice, as in LLVM's own pass.
inline constexpr unsigned mostRotated = 16;

/// Lets `loop` test at its end whether to go on, at the price of up to `mostCopied` instructions of
/// its header twice. What is known of the function is kept up to date; so it is by unrolling. Both
/// return whether anything changed.
bool rotateLoop(llvm::Loop& loop, unsigned mostCopied, llvm::FunctionAnalysisManager& analyses);

bool unrollLoop(llvm::Loop& loop, const llvm::UnrollLoopOptions& options,
                llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
