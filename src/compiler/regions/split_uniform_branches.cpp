#include "compiler/regions/split_uniform_branches.h"

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
using Edge = std::pair<BasicBlock*, BasicBlock*>;

class UniformBranches {
public:
  UniformBranches(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : graph_(function), uniformity_(analyses.getResult<UniformityAnalysis>(function).of(
                              UniformityRoot::workGroup())),
        divergent_(divergentBlocks(function, uniformity_)) {}

  /// Those from where a group decides at the start of a region, if work-items do something there.
  llvm::SetVector<Edge> find() const {
    llvm::SetVector<Edge> edges;
    if (graph_.hasSubGroupBarriers())
      return edges;
    for (const Region& region : graph_.regions())
      if (BasicBlock* fork = region.entryBarrier ? forkAtStart(region) : nullptr)
        for (BasicBlock* next : llvm::successors(fork))
          if (doesSomething(*next))
            edges.insert({fork, next});
    return edges;
  }

private:
  /// The block from which the group takes different edges before a work-item has done anything.
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
              uniformity_.isUniformWhereUsed(instruction));
    });
  }

  bool doesSomething(BasicBlock& start) const {
    return llvm::any_of(reachableBlocks(start, graph_),
                        [&](const BasicBlock* block) { return !isOfGroup(*block); });
  }

  RegionGraph graph_;
  const Uniformity& uniformity_;
  llvm::SmallPtrSet<BasicBlock*, 32> divergent_;
};

} // namespace

llvm::PreservedAnalyses SplitUniformBranchesPass::run(llvm::Function& function,
                                                      llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute) ||
      !function.getParent()->getFunction(names::barrier))
    return llvm::PreservedAnalyses::all();
  for (llvm::SetVector<Edge> edges = UniformBranches(function, analyses).find(); !edges.empty();
       edges = UniformBranches(function, analyses).find()) {
    for (auto [from, to] : edges)
      insertOwnBarrier(*llvm::SplitEdge(from, to));
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
