#pragma once

#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>

namespace quern::compiler {

/// The two stages of a software pipeline. The first: what of an iteration of a loop of one block
/// can run while the iteration before ends: all that the loop's condition and its counters need,
/// and the first stage of the chain of vector operations, one of which waits for the other.
struct PipelineStages {
  /// Instructions of the first stage, without phi nodes.
  llvm::SmallPtrSet<const llvm::Instruction*, 32> early;
  /// Phi nodes whose next value the first stage computes.
  llvm::SmallPtrSet<const llvm::PHINode*, 8> earlyPhis;
};

/// Nothing where `machine` finds enough to do anyway: where the chain is short, or what an
/// iteration takes from the one before is most of it, or where the values between the stages do not
/// fit its registers; nor where iterations write memory.
std::optional<PipelineStages> pipelineStagesOf(const llvm::Loop& loop,
                                               const llvm::TargetTransformInfo& machine);

/// Whether there are stages, so short that those of two iterations at a time fill a processor
/// better.
bool hasShortStages(const llvm::Loop& loop, const llvm::TargetTransformInfo& machine);

} // namespace quern::compiler
