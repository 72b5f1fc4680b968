#include "compiler/regions/way_barriers.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/il/names.h"
#include "compiler/regions/own_barriers.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;

/// From one block to the next.
using Way = std::pair<BasicBlock*, BasicBlock*>;

class Ways {
public:
  explicit Ways(llvm::Function& function)
      : graph_(function), uniformity_(function, graph_.hasSubGroupBarriers()),
        divergent_(divergentBlocks(function, uniformity_)) {}

  /// Those from where a group decides at the start of a region, if work-items do something there.
  llvm::SetVector<Way> find() const {
    llvm::SetVector<Way> ways;
    if (graph_.hasSubGroupBarriers())
      return ways;
    for (const Region& region : graph_.regions())
      if (BasicBlock* fork = region.entryBarrier ? forkAtStart(region) : nullptr)
        for (BasicBlock* next : llvm::successors(fork))
          if (doesSomething(*next))
            ways.insert({fork, next});
    return ways;
  }

private:
  /// The block from which the group goes different ways before a work-item has done anything.
  BasicBlock* forkAtStart(const Region& region) const {
    llvm::SmallPtrSet<const BasicBlock*, 4> seen;
    for (BasicBlock* block = region.entry; block && seen.insert(block).second;
         block = block->getSingleSuccessor()) {
      if (graph_.isBarrierBlock(block) || divergent_.contains(block) || !isOfGroup(*block))
        return nullptr;
      if (block->getTerminator()->getNumSuccessors() > 1)
        return uniformity_.hasDivergentTerminator(*block) || isInLoop(*block) ? nullptr : block;
    }
    return nullptr;
  }

  /// A loop without barriers is part of a region.
  bool isInLoop(BasicBlock& block) const {
    return llvm::any_of(llvm::successors(&block), [&](BasicBlock* next) {
      return reachableBlocks(*next, graph_).contains(&block);
    });
  }

  /// Whether `block` only does what is done once for all work-items, and moves their values.
  bool isOfGroup(const BasicBlock& block) const {
    return llvm::all_of(block, [&](const llvm::Instruction& instruction) {
      return llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() ||
             instruction.isDebugOrPseudoInst() ||
             (!instruction.mayHaveSideEffects() && !llvm::isa<llvm::AllocaInst>(instruction) &&
              uniformity_.isUniform(instruction));
    });
  }

  bool doesSomething(BasicBlock& way) const {
    return llvm::any_of(reachableBlocks(way, graph_),
                        [&](const BasicBlock* block) { return !isOfGroup(*block); });
  }

  RegionGraph graph_;
  Uniformity uniformity_;
  llvm::SmallPtrSet<BasicBlock*, 32> divergent_;
};

} // namespace

llvm::PreservedAnalyses WayBarriersPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute) ||
      !function.getParent()->getFunction(names::barrier))
    return llvm::PreservedAnalyses::all();
  for (llvm::SetVector<Way> ways = Ways(function).find(); !ways.empty();
       ways = Ways(function).find())
    for (auto [from, to] : ways)
      insertOwnBarrier(*llvm::SplitEdge(from, to));
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
