#pragma once

#include <deque>
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
/// work-items are together again. A packet runs the steps of a stretch one after the other, each
/// for the work-items of its mask.
///
/// A step is a block or a convergent loop, which those that enter it leave together, by uniform
/// branches. Within such a loop they are together but for stretches of its own. Of a loop that
/// work-items may leave at different times all blocks are steps, and neighbours.
///
/// After Moll and Hack, "Partial Control-Flow Linearization" (PLDI 2018), with all branches within
/// a stretch made linear but those of convergent loops.
class MaskedBlocks {
public:
  struct Stretch {
    std::vector<llvm::BasicBlock*> blocks; ///< in reverse post-order
    std::vector<llvm::BasicBlock*> steps;  ///< of convergent loops the headers alone
    llvm::BasicBlock* join = nullptr;
  };

  /// `region` has one return, and its loops are in simplified form.
  MaskedBlocks(llvm::Function& region, const llvm::LoopInfo& loops, const Uniformity& uniformity);

  /// False for control flow without joins; then there is nothing else to ask for.
  bool isValid() const { return isValid_; }
  bool contains(const llvm::BasicBlock* block) const { return masked_.contains(block); }
  /// Those that are entered where all work-items of a packet are together, and the one of them that
  /// a block lies in.
  const std::vector<Stretch>& stretches() const { return stretches_; }
  const Stretch& stretchOf(const llvm::BasicBlock* block) const {
    return stretches_[numbers_.lookup(block)];
  }
  /// Of which `block` is a step, or its loop; null where that is run together by all that are in a
  /// convergent loop, or in the packet.
  const Stretch* stretchOfStep(const llvm::BasicBlock* block) const {
    return stretchesOfSteps_.lookup(block);
  }
  /// The innermost one around `block`; null outside of all.
  const llvm::Loop* convergentLoopOf(const llvm::BasicBlock* block) const;

private:
  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;
  using Order = std::vector<llvm::BasicBlock*>;
  bool markSpans(const Order& scope, Blocks& marked) const;
  bool markSpan(llvm::BasicBlock& block, Blocks& marked, bool& changed) const;
  bool formStretches(const Order& scope, const Blocks& marked,
                     std::vector<Stretch>& stretches) const;
  void findSteps(Stretch& stretch);
  bool takeAsConvergent(const llvm::Loop& loop, const Order& blocks);

  const llvm::LoopInfo& loops_;
  const Uniformity& uniformity_;
  llvm::PostDominatorTree joins_;
  Blocks masked_;
  std::vector<Stretch> stretches_;
  std::deque<std::vector<Stretch>> inConvergentLoops_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers_;
  llvm::DenseMap<const llvm::BasicBlock*, const Stretch*> stretchesOfSteps_;
  llvm::SmallPtrSet<const llvm::Loop*, 4> convergent_;
  bool isValid_ = true;
};

} // namespace quern::compiler
