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

/// Whether the number of iterations is known before the first one, without a division to find it
/// out.
bool hasCheapTripCount(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

} // namespace quern::compiler
