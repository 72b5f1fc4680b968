#include "compiler/il/cycle_exits.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {
namespace {

bool workItemsPart(const llvm::Cycle& cycle, llvm::UniformityInfo& uniformity) {
  return llvm::any_of(cycle.blocks(), [&](const llvm::BasicBlock* block) {
    return block->getTerminator()->getNumSuccessors() > 1 &&
           uniformity.hasDivergentTerminator(*block);
  });
}

/// Whether `phi` has different values from blocks of `cycle`.
bool tellsTheWay(const llvm::PHINode& phi, const llvm::Cycle& cycle) {
  const llvm::Value* first = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (!cycle.contains(phi.getIncomingBlock(i)))
      continue;
    if (first && first != phi.getIncomingValue(i))
      return true;
    first = phi.getIncomingValue(i);
  }
  return false;
}

} // namespace

bool addExitValues(const llvm::CycleInfo& cycles, llvm::UniformityInfo& uniformity,
                   ExitValues& values) {
  const size_t before = values.size();
  for (const llvm::Cycle* outermost : cycles.toplevel_cycles())
    for (const llvm::Cycle* cycle : llvm::depth_first(outermost)) {
      if (!workItemsPart(*cycle, uniformity))
        continue;
      llvm::SmallVector<llvm::BasicBlock*> exits;
      cycle->getExitBlocks(exits);
      for (const llvm::BasicBlock* exit : exits)
        for (const llvm::PHINode& phi : exit->phis())
          if (tellsTheWay(phi, *cycle) && !uniformity.isDivergent(&phi))
            values.insert(&phi);
    }
  return values.size() != before;
}

} // namespace quern::compiler
