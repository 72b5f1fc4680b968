#include "compiler/regions/region_graph.h"

#include <algorithm>

#include <llvm/IR/CFG.h>

#include "compiler/il/boundary.h"
#include "compiler/regions/liveness.h"
#include "compiler/regions/loop_order.h"

namespace quern::compiler {

void isolateBarrier(llvm::CallInst& barrier) {
  llvm::BasicBlock* before = barrier.getParent();
  llvm::BasicBlock* block = before->splitBasicBlock(barrier.getIterator(), "barrier");
  block->splitBasicBlock(std::next(barrier.getIterator()), "after.barrier");
}

RegionGraph::RegionGraph(llvm::Function& function) : function_(function) {
  regions_.push_back({.entry = &function.getEntryBlock()});
  hasSubGroupBarriers_ = llvm::any_of(function, [](const llvm::BasicBlock& block) {
    const std::optional<Boundary> boundary = boundaryOf(block.front());
    return boundary && isOfSubGroup(*boundary);
  });
  const std::vector<llvm::BasicBlock*> order = loopCompactOrder(function);
  addRegions(order, true);
  addRegions(order, false);
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

void RegionGraph::addRegions(const std::vector<llvm::BasicBlock*>& order, bool ofSubGroups) {
  for (llvm::BasicBlock* block : order) {
    const std::optional<Boundary> boundary = boundaryOf(block->front());
    if (!boundary || isOfSubGroup(*boundary) != ofSubGroups)
      continue;
    numbers_[block] = regions_.size();
    regions_.push_back({.number = static_cast<unsigned>(regions_.size()),
                        .entryBarrier = llvm::cast<llvm::CallInst>(&block->front()),
                        .entry = block->getSingleSuccessor()});
  }
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

llvm::SmallPtrSet<llvm::BasicBlock*, 32> reachableBlocks(llvm::BasicBlock& start,
                                                         const RegionGraph& graph) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> reached;
  llvm::SmallVector<llvm::BasicBlock*> work = {&start};
  while (!work.empty()) {
    llvm::BasicBlock* block = work.pop_back_val();
    if (!graph.isBarrierBlock(block) && reached.insert(block).second)
      llvm::append_range(work, llvm::successors(block));
  }
  return reached;
}

} // namespace quern::compiler
