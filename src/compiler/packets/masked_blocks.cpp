#include "compiler/packets/masked_blocks.h"

#include <algorithm>

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/IR/CFG.h>

#include "compiler/regions/loop_order.h"

namespace quern::compiler {
namespace {

/// The one block outside that `blocks`, which `inside` contains, lead to.
llvm::BasicBlock* findJoin(const std::vector<llvm::BasicBlock*>& blocks,
                           const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& inside) {
  llvm::BasicBlock* join = nullptr;
  for (llvm::BasicBlock* block : blocks)
    for (llvm::BasicBlock* successor : llvm::successors(block))
      if (!inside.contains(successor)) {
        if (join && join != successor)
          return nullptr;
        join = successor;
      }
  return join;
}

} // namespace

MaskedBlocks::MaskedBlocks(llvm::Function& region, const llvm::LoopInfo& loops,
                           const Uniformity& uniformity)
    : loops_(loops), uniformity_(uniformity), joins_(region) {
  const Order order = loopCompactOrder(region);
  isValid_ = markSpans(order, masked_) && formStretches(order, masked_, stretches_);
  if (!isValid_)
    return;
  for (Stretch& stretch : stretches_) {
    for (const llvm::BasicBlock* block : stretch.blocks)
      numbers_[block] = static_cast<unsigned>(&stretch - stretches_.data());
    findSteps(stretch);
  }
}

/// Marks the blocks of `scope` that work-items may run at different times. Once one branch of a
/// stretch diverges, all branches in it are made linear; so each of them marks what lies before its
/// own join. False where there is no join.
bool MaskedBlocks::markSpans(const Order& scope, Blocks& marked) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock* block : scope)
      if (block->getTerminator()->getNumSuccessors() > 1 &&
          (uniformity_.hasDivergentTerminator(*block) || marked.contains(block)) &&
          !markSpan(*block, marked, changed))
        return false;
  }
  return true;
}

/// Marks the blocks between a branch and its join, and every loop that the join lies outside of.
bool MaskedBlocks::markSpan(llvm::BasicBlock& block, Blocks& marked, bool& changed) const {
  const llvm::DomTreeNode* node = joins_.getNode(&block);
  llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!join)
    return false;
  const auto mark = [&](llvm::BasicBlock* inside) { changed |= marked.insert(inside).second; };
  for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop && !loop->contains(join);
       loop = loop->getParentLoop())
    llvm::for_each(loop->blocks(), mark);
  llvm::SmallVector<llvm::BasicBlock*> work(llvm::successors(&block));
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  while (!work.empty()) {
    llvm::BasicBlock* next = work.pop_back_val();
    if (next == join || !seen.insert(next).second)
      continue;
    mark(next);
    llvm::append_range(work, llvm::successors(next));
  }
  return true;
}

/// Blocks that lead to each other lie in one stretch, and so do those that one branch leads to.
/// False where a stretch has no join.
bool MaskedBlocks::formStretches(const Order& scope, const Blocks& marked,
                                 std::vector<Stretch>& stretches) const {
  llvm::EquivalenceClasses<llvm::BasicBlock*> connected;
  for (llvm::BasicBlock* block : scope)
    if (marked.contains(block)) {
      connected.insert(block);
      for (llvm::BasicBlock* successor : llvm::successors(block))
        if (marked.contains(successor))
          connected.unionSets(block, successor);
    }
  for (llvm::BasicBlock* block : scope)
    if (uniformity_.hasDivergentTerminator(*block)) {
      llvm::BasicBlock* first = nullptr;
      for (llvm::BasicBlock* successor : llvm::successors(block))
        if (marked.contains(successor)) {
          connected.unionSets(first ? first : successor, successor);
          first = successor;
        }
    }
  llvm::DenseMap<const llvm::BasicBlock*, size_t> byLeader;
  for (llvm::BasicBlock* block : scope)
    if (marked.contains(block)) {
      const auto [place, isNew] =
          byLeader.try_emplace(connected.getLeaderValue(block), stretches.size());
      if (isNew)
        stretches.emplace_back();
      stretches[place->second].blocks.push_back(block);
    }
  for (Stretch& stretch : stretches)
    stretch.join = findJoin(stretch.blocks, marked);
  return llvm::all_of(stretches, [](const Stretch& stretch) { return stretch.join; });
}

void MaskedBlocks::findSteps(Stretch& stretch) {
  for (auto block = stretch.blocks.begin(); block != stretch.blocks.end();) {
    stretch.steps.push_back(*block);
    stretchesOfSteps_[*block] = &stretch;
    const llvm::Loop* loop = loops_.isLoopHeader(*block) ? loops_.getLoopFor(*block) : nullptr;
    const auto first = block++;
    if (!loop)
      continue;
    const auto end = std::find_if_not(block, stretch.blocks.end(),
                                      [&](const auto* inside) { return loop->contains(inside); });
    if (end - first == loop->getNumBlocks() && takeAsConvergent(*loop, {first, end}))
      block = end;
  }
}

/// Whether work-items leave `loop`, of `blocks`, together; then it is known as a convergent one.
bool MaskedBlocks::takeAsConvergent(const llvm::Loop& loop, const Order& blocks) {
  Blocks marked;
  std::vector<Stretch> stretches;
  const auto staysInIteration = [&](const llvm::BasicBlock* block) {
    return loop.contains(block) && block != loop.getHeader();
  };
  if (!markSpans(blocks, marked) || !llvm::all_of(marked, staysInIteration) ||
      !formStretches(blocks, marked, stretches) ||
      !llvm::all_of(stretches,
                    [&](const Stretch& stretch) { return staysInIteration(stretch.join); }))
    return false;
  convergent_.insert(&loop);
  for (Stretch& stretch : inConvergentLoops_.emplace_back(std::move(stretches)))
    findSteps(stretch);
  return true;
}

const llvm::Loop* MaskedBlocks::convergentLoopOf(const llvm::BasicBlock* block) const {
  const llvm::Loop* loop = loops_.getLoopFor(block);
  while (loop && !convergent_.contains(loop))
    loop = loop->getParentLoop();
  return loop;
}

} // namespace quern::compiler
