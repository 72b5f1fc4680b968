#pragma once

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>

namespace quern::compiler {

/// What of a round of a loop of one block can run while the round before ends: all that the loop's
/// condition and its counters need, and the first half of the chain of vector operations, one of
/// which waits for the other.
struct RoundHalves {
  /// Instructions of the first half, without phi nodes.
  llvm::SmallPtrSet<const llvm::Instruction*, 32> early;
  /// Phi nodes whose next value the first half computes.
  llvm::SmallPtrSet<const llvm::PHINode*, 8> earlyPhis;
};

/// Nothing where `machine` finds enough to do anyway: where the chain is short, or what a round
/// takes from the one before is most of it, or where the values between the halves do not fit its
/// registers; nor where rounds write memory.
std::optional<RoundHalves> halvesOfRound(const llvm::Loop& loop,
                                         const llvm::TargetTransformInfo& machine);

/// Whether there are halves, so short that those of two rounds at a time fill a processor better.
bool hasShortHalves(const llvm::Loop& loop, const llvm::TargetTransformInfo& machine);

} // namespace quern::compiler
