#pragma once

#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Which values of a region are the same for all work-items of a group that differ only in their id
/// in one dimension: 0 for those of a packet, which spans no two rows.
class PacketUniformity {
public:
  explicit PacketUniformity(llvm::Function& region, unsigned dimension = 0);

  bool isUniform(const llvm::Value& value) const { return !info_->isDivergent(&value); }
  /// Whether such work-items may leave `block` in different directions.
  bool hasDivergentTerminator(const llvm::BasicBlock& block) const {
    return info_->hasDivergentTerminator(block);
  }

private:
  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  llvm::TargetTransformInfo target_;
  mutable std::optional<llvm::UniformityInfo> info_; // its queries are not const
};

} // namespace quern::compiler
