#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

#include "compiler/il/uniformity.h"

namespace quern::compiler {

/// The blocks of a region that only some work-items of a packet may run. They lie in stretches: a
/// stretch is entered by divergent branches, and left for one block, its join, where all
/// work-items are together again. A packet runs the blocks of a stretch one after the other, each
/// for the work-items of its mask. A loop that work-items may leave at different times lies in a
/// stretch as a whole, and its blocks are neighbours there.
///
/// After Moll and Hack, "Partial Control-Flow Linearization" (PLDI 2018), with all branches within
/// a stretch made linear.
class MaskedBlocks {
public:
  struct Stretch {
    std::vector<llvm::BasicBlock*> blocks; ///< in reverse post-order
    llvm::BasicBlock* join = nullptr;
  };

  /// `region` has one return, and its loops are in simplified form.
  MaskedBlocks(llvm::Function& region, const llvm::LoopInfo& loops, const Uniformity& uniformity);

  /// False for control flow without joins; then there is nothing else to ask for.
  bool isValid() const { return isValid_; }
  bool contains(const llvm::BasicBlock* block) const { return masked_.contains(block); }
  const Stretch& stretchOf(const llvm::BasicBlock* block) const {
    return stretches_[numbers_.lookup(block)];
  }
  const std::vector<Stretch>& stretches() const { return stretches_; }

private:
  void markSpans(llvm::Function& region, const Uniformity& uniformity);
  bool markSpan(llvm::BasicBlock& block);
  bool mark(llvm::BasicBlock* block) { return masked_.insert(block).second; }
  void formStretches(llvm::Function& region, const Uniformity& uniformity);
  llvm::BasicBlock* findJoin(const Stretch& stretch) const;

  const llvm::LoopInfo& loops_;
  llvm::PostDominatorTree joins_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> masked_;
  std::vector<Stretch> stretches_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers_;
  bool isValid_ = true;
};

} // namespace quern::compiler
