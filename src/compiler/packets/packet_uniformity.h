#pragma once

#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Which values of a region are the same for all work-items of a packet, that is, for neighbours in
/// dimension 0. Work-groups differ from each other and rows of a group too, but no packet spans
/// two.
class PacketUniformity {
public:
  explicit PacketUniformity(llvm::Function& region);

  bool isUniform(const llvm::Value& value) const { return !info_->isDivergent(&value); }
  /// Whether work-items of a packet may leave `block` in different directions.
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
