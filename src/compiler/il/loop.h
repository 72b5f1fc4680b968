#pragma once

#include <llvm/Analysis/LoopInfo.h>

namespace quern::compiler {

uint64_t instructionsOf(const llvm::Loop& loop);

/// Whether work-items meet in `loop`, otherwise than as those of a packet, which are together
/// anyway. Those that leave it in different iterations must still meet where they met before.
bool isConvergent(const llvm::Loop& loop);

/// Adds to `loop`, which has one latch and one predecessor, how many of its iterations have ended,
/// in 64 bits.
llvm::PHINode* addIterationCounter(const llvm::Loop& loop);

/// Whether the program says how `loop` is to be unrolled.
bool hasUnrollingOption(const llvm::Loop& loop);

/// LLVM makes one iteration of `count`, whatever it was told before.
void setUnrollCount(llvm::Loop& loop, unsigned count);

} // namespace quern::compiler
