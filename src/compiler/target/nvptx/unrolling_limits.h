#pragma once

#include <cstdint>

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace quern::compiler {

/// Of loops that are not unrolled completely so many iterations become one.
inline constexpr unsigned partialUnrollCount = 4;
/// Instructions of a loop of which iterations are joined, at most.
inline constexpr uint64_t maxInstructionsToUnroll = 64;

uint64_t instructionsOf(const llvm::Loop& loop);

/// Whether the program says how `loop` is to be unrolled.
bool hasUnrollingOption(const llvm::Loop& loop);

/// Whether work-items meet in `loop`. Those that leave it in different iterations must still meet
/// where they met before.
bool isConvergent(const llvm::Loop& loop);

/// Whether the number of iterations is known before the first one, without a division to find it
/// out.
bool hasCheapTripCount(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

} // namespace quern::compiler
