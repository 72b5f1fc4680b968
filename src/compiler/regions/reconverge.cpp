#include "compiler/regions/reconverge.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

#include "compiler/il/boundary.h"
#include "compiler/il/names.h"
#include "compiler/il/uniformity.h"
#include "compiler/regions/own_barriers.h"
#include "compiler/regions/region_graph.h"

namespace quern::compiler {
namespace {

bool hasBarrier(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    const std::optional<Boundary> boundary = boundaryOf(instruction);
    return boundary && !isOfSubGroup(*boundary);
  });
}

/// Whether a work-item reads or writes memory from `join` on, before the next barrier.
bool isWaitedFor(llvm::BasicBlock& join, const RegionGraph& graph) {
  return llvm::any_of(reachableBlocks(join, graph), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      return instruction.mayReadOrWriteMemory();
    });
  });
}

/// Where those who pass by a barrier join the others.
llvm::SetVector<llvm::BasicBlock*> findJoins(llvm::Function& function,
                                             const Uniformity& uniformity) {
  const RegionGraph graph(function);
  const llvm::PostDominatorTree postDominators(function);
  llvm::SetVector<llvm::BasicBlock*> joins;
  for (llvm::BasicBlock& block : function) {
    if (!uniformity.hasDivergentTerminator(block))
      continue;
    const llvm::DomTreeNode* node = postDominators.getNode(&block);
    llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!join || graph.isBarrierBlock(join))
      continue;
    const llvm::SmallPtrSet<llvm::BasicBlock*, 32> between = blocksBetween(block, join);
    if (llvm::any_of(between, [](const llvm::BasicBlock* each) { return hasBarrier(*each); }) &&
        isWaitedFor(*join, graph))
      joins.insert(join);
  }
  return joins;
}

} // namespace

llvm::PreservedAnalyses ReconvergePass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute) ||
      !function.getParent()->getFunction(names::barrier))
    return llvm::PreservedAnalyses::all();
  const Uniformity& uniformity =
      analyses.getResult<UniformityAnalysis>(function).of(UniformityRoot::workGroup());
  const llvm::SetVector<llvm::BasicBlock*> joins = findJoins(function, uniformity);
  for (llvm::BasicBlock* join : joins)
    insertOwnBarrier(*join);
  return joins.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
