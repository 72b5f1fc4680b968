#include "compiler/passes/join_barriers.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/il/names.h"
#include "compiler/regions/region_graph.h"
#include "compiler/regions/uniformity.h"

namespace quern::compiler {
namespace {

/// Instructions that must be saved by a further barrier, which costs loops over the work-items and
/// room for what lives across it.
constexpr uint64_t worthwhileSavings = 200;

using Blocks = llvm::SmallPtrSet<llvm::BasicBlock*, 32>;

/// Blocks that can be reached from `start` without passing `end` or a barrier.
void reach(llvm::BasicBlock* start, const llvm::BasicBlock* end, const RegionGraph* barriers,
           Blocks& reached) {
  llvm::SmallVector<llvm::BasicBlock*> work = {start};
  while (!work.empty()) {
    llvm::BasicBlock* block = work.pop_back_val();
    if (block == end || (barriers && barriers->isBarrierBlock(block)) ||
        !reached.insert(block).second)
      continue;
    llvm::append_range(work, llvm::successors(block));
  }
}

/// Blocks that some work-items of a group may run while others do not: all between a branch that
/// they may take differently and the point where their ways join.
Blocks divergentBlocks(llvm::Function& function) {
  const Uniformity uniformity(function, RegionGraph(function).hasSubGroupBarriers());
  const llvm::PostDominatorTree joins(function);
  Blocks divergent;
  for (llvm::BasicBlock& block : function) {
    if (!uniformity.hasDivergentTerminator(block))
      continue;
    const llvm::DomTreeNode* node = joins.getNode(&block);
    const llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    for (llvm::BasicBlock* successor : llvm::successors(&block))
      reach(successor, join, nullptr, divergent);
  }
  return divergent;
}

class Placement {
public:
  explicit Placement(llvm::Function& function)
      : function_(function), divergent_(divergentBlocks(function)) {}

  void run() {
    while (llvm::BasicBlock* block = bestJoin())
      insertBarrier(*block);
  }

private:
  /// The block where a barrier saves most instructions, if enough.
  llvm::BasicBlock* bestJoin() const {
    const RegionGraph graph(function_);
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> regionsOf;
    for (const Region& region : graph.regions())
      for (const llvm::BasicBlock* block : region.blocks)
        ++regionsOf[block];
    llvm::BasicBlock* best = nullptr;
    uint64_t most = worthwhileSavings;
    for (llvm::BasicBlock& block : function_)
      if (isJoin(block, regionsOf)) {
        const uint64_t savings = sizeFrom(block, graph) * (regionsOf[&block] - 1);
        if (savings >= most) {
          most = savings;
          best = &block;
        }
      }
    return best;
  }

  /// Whether more regions than that of any single predecessor come together in `block`.
  bool isJoin(const llvm::BasicBlock& block,
              const llvm::DenseMap<const llvm::BasicBlock*, unsigned>& regionsOf) const {
    const unsigned count = regionsOf.lookup(&block);
    if (count < 2 || divergent_.contains(&block))
      return false;
    return llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* predecessor) {
      return regionsOf.lookup(predecessor) < count;
    });
  }

  static uint64_t sizeFrom(llvm::BasicBlock& block, const RegionGraph& graph) {
    Blocks reached;
    reach(&block, nullptr, &graph, reached);
    uint64_t size = 0;
    for (const llvm::BasicBlock* one : reached)
      size += one->size();
    return size;
  }

  void insertBarrier(llvm::BasicBlock& block) {
    llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
    llvm::Function* barrier = function_.getParent()->getFunction(names::barrier);
    llvm::CallInst* call = builder.CreateCall(barrier, {builder.getInt32(0), builder.getInt32(0)});
    call->addFnAttr(llvm::Attribute::Convergent);
    isolateBarrier(*call);
  }

  llvm::Function& function_;
  Blocks divergent_;
};

} // namespace

llvm::PreservedAnalyses JoinBarriersPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute) ||
      !function.getParent()->getFunction(names::barrier))
    return llvm::PreservedAnalyses::all();
  Placement(function).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
