#include "compiler/packets/masked_blocks.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/IR/CFG.h>

#include "compiler/regions/loop_order.h"

namespace quern::compiler {

MaskedBlocks::MaskedBlocks(llvm::Function& region, const llvm::LoopInfo& loops,
                           const Uniformity& uniformity)
    : loops_(loops), joins_(region) {
  markSpans(region, uniformity);
  if (isValid_)
    formStretches(region, uniformity);
}

/// Once one branch of a stretch diverges, all branches in it are made linear; so each of them marks
/// what lies before its own join.
void MaskedBlocks::markSpans(llvm::Function& region, const Uniformity& uniformity) {
  for (bool changed = true; changed && isValid_;) {
    changed = false;
    for (llvm::BasicBlock& block : region)
      if (block.getTerminator()->getNumSuccessors() > 1 &&
          (uniformity.hasDivergentTerminator(block) || contains(&block)))
        changed |= markSpan(block);
  }
}

/// Marks the blocks between a branch and its join, and every loop that the join lies outside of.
bool MaskedBlocks::markSpan(llvm::BasicBlock& block) {
  const llvm::DomTreeNode* node = joins_.getNode(&block);
  llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!join) {
    isValid_ = false;
    return false;
  }
  bool changed = false;
  for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop && !loop->contains(join);
       loop = loop->getParentLoop())
    for (llvm::BasicBlock* inside : loop->blocks())
      changed |= mark(inside);
  llvm::SmallVector<llvm::BasicBlock*> work(llvm::successors(&block));
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  while (!work.empty()) {
    llvm::BasicBlock* next = work.pop_back_val();
    if (next == join || !seen.insert(next).second)
      continue;
    changed |= mark(next);
    llvm::append_range(work, llvm::successors(next));
  }
  return changed;
}

/// Blocks that lead to each other lie in one stretch, and so do those that one branch leads to.
void MaskedBlocks::formStretches(llvm::Function& region, const Uniformity& uniformity) {
  llvm::EquivalenceClasses<llvm::BasicBlock*> connected;
  for (llvm::BasicBlock& block : region)
    if (contains(&block)) {
      connected.insert(&block);
      for (llvm::BasicBlock* successor : llvm::successors(&block))
        if (contains(successor))
          connected.unionSets(&block, successor);
    }
  for (llvm::BasicBlock& block : region)
    if (uniformity.hasDivergentTerminator(block)) {
      llvm::BasicBlock* first = nullptr;
      for (llvm::BasicBlock* successor : llvm::successors(&block))
        if (contains(successor)) {
          connected.unionSets(first ? first : successor, successor);
          first = successor;
        }
    }
  llvm::DenseMap<llvm::BasicBlock*, unsigned> byLeader;
  for (llvm::BasicBlock* block : loopCompactOrder(region))
    if (contains(block)) {
      const auto [place, isNew] =
          byLeader.try_emplace(connected.getLeaderValue(block), stretches_.size());
      if (isNew)
        stretches_.emplace_back();
      numbers_[block] = place->second;
      stretches_[place->second].blocks.push_back(block);
    }
  for (Stretch& stretch : stretches_) {
    stretch.join = findJoin(stretch);
    isValid_ = isValid_ && stretch.join;
  }
}

/// The one block outside that the stretch leads to.
llvm::BasicBlock* MaskedBlocks::findJoin(const Stretch& stretch) const {
  llvm::BasicBlock* join = nullptr;
  for (llvm::BasicBlock* block : stretch.blocks)
    for (llvm::BasicBlock* successor : llvm::successors(block))
      if (!contains(successor)) {
        if (join && join != successor)
          return nullptr;
        join = successor;
      }
  return join;
}

} // namespace quern::compiler
