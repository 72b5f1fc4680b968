#include "compiler/regions/own_barriers.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {

llvm::SmallPtrSet<llvm::BasicBlock*, 32> divergentBlocks(llvm::Function& item,
                                                         const Uniformity& uniformity) {
  const llvm::PostDominatorTree joins(item);
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> divergent;
  for (llvm::BasicBlock& block : item) {
    if (!uniformity.hasDivergentTerminator(block))
      continue;
    const llvm::DomTreeNode* node = joins.getNode(&block);
    const llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    divergent.insert_range(blocksBetween(block, join));
  }
  return divergent;
}

llvm::SmallPtrSet<llvm::BasicBlock*, 32> blocksBetween(llvm::BasicBlock& branch,
                                                       const llvm::BasicBlock* join) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> reached;
  llvm::SmallVector<llvm::BasicBlock*> work(llvm::successors(&branch));
  while (!work.empty()) {
    llvm::BasicBlock* next = work.pop_back_val();
    if (next != join && reached.insert(next).second)
      llvm::append_range(work, llvm::successors(next));
  }
  return reached;
}

void insertOwnBarrier(llvm::BasicBlock& block) {
  llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
  llvm::Function* barrier = block.getModule()->getFunction(names::barrier);
  llvm::CallInst* call = builder.CreateCall(barrier, {builder.getInt32(0), builder.getInt32(0)});
  call->addFnAttr(llvm::Attribute::Convergent);
  isolateBarrier(*call);
}

} // namespace quern::compiler
