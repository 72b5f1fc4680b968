#include "compiler/regions/loop_order.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace quern::compiler {
namespace {

using Blocks = std::vector<llvm::BasicBlock*>;

/// The loop directly inside `outer` (null: the function) that `block` belongs to, or null.
const llvm::Loop* loopInside(const llvm::LoopInfo& loops, const llvm::Loop* outer,
                             const llvm::BasicBlock* block) {
  const llvm::Loop* loop = loops.getLoopFor(block);
  while (loop && loop->getParentLoop() != outer)
    loop = loop->getParentLoop();
  return loop;
}

/// Appends `blocks`, those of `outer` in an order of the first kind, to `result`. A loop is entered
/// at its first block only, so it can be placed as a whole where that block is.
void place(const llvm::LoopInfo& loops, const llvm::Loop* outer, const Blocks& blocks,
           Blocks& result) {
  llvm::SmallPtrSet<const llvm::Loop*, 8> placed;
  for (llvm::BasicBlock* block : blocks) {
    const llvm::Loop* loop =
        loops.getLoopFor(block) == outer ? nullptr : loopInside(loops, outer, block);
    if (!loop) {
      result.push_back(block);
    } else if (placed.insert(loop).second) {
      Blocks own;
      for (llvm::BasicBlock* other : blocks)
        if (loop->contains(other))
          own.push_back(other);
      place(loops, loop, own, result);
    }
  }
}

} // namespace

Blocks loopCompactOrder(llvm::Function& function) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  const Blocks blocks(order.begin(), order.end());
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  Blocks result;
  place(loops, nullptr, blocks, result);
  return result;
}

} // namespace quern::compiler
