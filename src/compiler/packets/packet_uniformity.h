#pragma once

#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include "compiler/il/cycle_exits.h"
#include "compiler/packets/aligned_ids.h"

namespace quern::compiler {

/// Which values of a region are the same for all work-items of a group that differ only in their id
/// in one dimension: 0 for those of a packet, which spans no two rows.
class PacketUniformity {
public:
  /// For packets, `alignment` is a number that every packet's width divides: none reaches beyond a
  /// multiple of it.
  explicit PacketUniformity(llvm::Function& region, unsigned dimension = 0, uint64_t alignment = 1);

  const AlignedIds& ids() const { return ids_; }
  /// Whether a value is only uniform because of the alignment: in a packet, not in a whole row.
  bool dependsOnAlignment() const { return dependsOnAlignment_; }

  bool isUniform(const llvm::Value& value) const { return !info_->isDivergent(&value); }
  /// Whether such work-items may leave `block` in different directions.
  bool hasDivergentTerminator(const llvm::BasicBlock& block) const {
    // They end a region together.
    return block.getTerminator()->getNumSuccessors() > 1 && info_->hasDivergentTerminator(block);
  }

private:
  AlignedIds ids_;
  bool dependsOnAlignment_ = false;
  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  ExitValues exitValues_;
  llvm::TargetTransformInfo target_;
  mutable std::optional<llvm::UniformityInfo> info_; // its queries are not const
};

} // namespace quern::compiler
