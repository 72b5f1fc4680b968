#include "compiler/regions/region_graph.h"

#include <algorithm>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>

#include "compiler/il/names.h"
#include "compiler/regions/liveness.h"

namespace quern::compiler {

bool isBarrierCall(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == names::barrier;
}

void isolateBarrier(llvm::CallInst& barrier) {
  llvm::BasicBlock* before = barrier.getParent();
  llvm::BasicBlock* block = before->splitBasicBlock(barrier.getIterator(), "barrier");
  block->splitBasicBlock(std::next(barrier.getIterator()), "after.barrier");
}

RegionGraph::RegionGraph(llvm::Function& function) : function_(function) {
  regions_.push_back({.entry = &function.getEntryBlock()});
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (llvm::BasicBlock* block : order) {
    if (!isBarrierCall(block->front()))
      continue;
    numbers_[block] = regions_.size();
    regions_.push_back({.number = static_cast<unsigned>(regions_.size()),
                        .entryBarrier = llvm::cast<llvm::CallInst>(&block->front()),
                        .entry = block->getSingleSuccessor()});
  }
  for (Region& region : regions_)
    fill(region);
}

void RegionGraph::findLiveValues() {
  if (regions_.size() == 1)
    return;
  const Liveness liveness(function_);
  for (Region& region : regions_)
    if (region.entryBarrier)
      region.liveIn = liveness.atStart(*region.entry);
}

void RegionGraph::fill(Region& region) {
  // Post-order by an explicit stack: kernels may have thousands of blocks.
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> seen;
  std::vector<std::pair<llvm::BasicBlock*, llvm::succ_iterator>> stack;
  const auto enter = [&](llvm::BasicBlock* block) {
    if (isBarrierBlock(block)) {
      region.exits.push_back(regionOf(block));
    } else if (seen.insert(block).second) {
      region.returns |= llvm::isa<llvm::ReturnInst>(block->getTerminator());
      stack.emplace_back(block, llvm::succ_begin(block));
    }
  };
  enter(region.entry);
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == llvm::succ_end(block)) {
      region.blocks.push_back(block);
      stack.pop_back();
    } else {
      enter(*next++);
    }
  }
  std::ranges::reverse(region.blocks);
  std::ranges::sort(region.exits);
  const auto repeated = std::ranges::unique(region.exits);
  region.exits.erase(repeated.begin(), repeated.end());
}

} // namespace quern::compiler
