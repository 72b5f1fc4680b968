#include "compiler/packets/masked_blocks.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

namespace quern::compiler {

MaskedBlocks::MaskedBlocks(llvm::Function& region, const llvm::LoopInfo& loops,
                           const PacketUniformity& uniformity)
    : loops_(loops), joins_(region) {
  markSpans(region, uniformity);
  if (isValid_)
    formStretches(region, uniformity);
}

/// Once one branch of a stretch diverges, all branches in it are made linear; so each of them marks
/// what lies before its own join.
void MaskedBlocks::markSpans(llvm::Function& region, const PacketUniformity& uniformity) {
  for (bool changed = true; changed && isValid_;) {
    changed = false;
    for (llvm::BasicBlock& block : region)
      if (uniformity.hasDivergentTerminator(block) ||
          (contains(&block) && block.getTerminator()->getNumSuccessors() > 1))
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

/// Sorts `blocks`, which lie in `loop`, so that each follows its predecessors except along back
/// edges, and the blocks of an inner loop are neighbours.
std::vector<llvm::BasicBlock*> MaskedBlocks::ordered(const std::vector<llvm::BasicBlock*>& blocks,
                                                     const llvm::Loop* loop) const {
  // Inner loops count as one node, named by their headers.
  const auto nodeOf = [&](llvm::BasicBlock* block) {
    const llvm::Loop* inner = loops_.getLoopFor(block);
    if (inner == loop || !inner)
      return block;
    while (inner->getParentLoop() != loop) {
      inner = inner->getParentLoop();
      if (!inner)
        return block; // outside of `loop`
    }
    return inner->getHeader();
  };
  llvm::DenseMap<llvm::BasicBlock*, std::vector<llvm::BasicBlock*>> members;
  std::vector<llvm::BasicBlock*> nodes;
  for (llvm::BasicBlock* block : blocks) {
    std::vector<llvm::BasicBlock*>& list = members[nodeOf(block)];
    if (list.empty())
      nodes.push_back(nodeOf(block));
    list.push_back(block);
  }
  llvm::DenseMap<llvm::BasicBlock*, unsigned> waiting;
  const auto forEachFollower = [&](llvm::BasicBlock* node, const auto& use) {
    for (llvm::BasicBlock* block : members[node])
      for (llvm::BasicBlock* successor : llvm::successors(block)) {
        if (loop && successor == loop->getHeader())
          continue;
        llvm::BasicBlock* follower = nodeOf(successor);
        if (follower != node && members.contains(follower))
          use(follower);
      }
  };
  for (llvm::BasicBlock* node : nodes)
    forEachFollower(node, [&](llvm::BasicBlock* follower) { ++waiting[follower]; });
  std::vector<llvm::BasicBlock*> ready, result;
  for (llvm::BasicBlock* node : llvm::reverse(nodes))
    if (waiting.lookup(node) == 0)
      ready.push_back(node);
  while (!ready.empty()) {
    llvm::BasicBlock* node = ready.back();
    ready.pop_back();
    const llvm::Loop* inner = loops_.getLoopFor(node);
    if (inner != loop && inner && inner->getHeader() == node)
      llvm::append_range(result, ordered(members[node], inner));
    else
      result.push_back(node);
    forEachFollower(node, [&](llvm::BasicBlock* follower) {
      if (--waiting[follower] == 0)
        ready.push_back(follower);
    });
  }
  return result;
}

/// Blocks that lead to each other lie in one stretch, and so do those that one branch leads to.
void MaskedBlocks::formStretches(llvm::Function& region, const PacketUniformity& uniformity) {
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
  std::vector<std::vector<llvm::BasicBlock*>> members;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&region))
    if (contains(block)) {
      const auto [place, isNew] =
          byLeader.try_emplace(connected.getLeaderValue(block), members.size());
      if (isNew)
        members.emplace_back();
      members[place->second].push_back(block);
    }
  for (const std::vector<llvm::BasicBlock*>& blocks : members) {
    // The innermost loop around the whole stretch.
    const llvm::Loop* loop = loops_.getLoopFor(blocks.front());
    while (loop &&
           !llvm::all_of(blocks, [&](llvm::BasicBlock* block) { return loop->contains(block); }))
      loop = loop->getParentLoop();
    if (loop && contains(loop->getHeader()))
      loop = loop->getParentLoop();
    Stretch stretch{ordered(blocks, loop), nullptr};
    stretch.join = findJoin(stretch);
    isValid_ = isValid_ && stretch.join && stretch.blocks.size() == blocks.size();
    for (llvm::BasicBlock* block : stretch.blocks)
      numbers_[block] = stretches_.size();
    stretches_.push_back(std::move(stretch));
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
