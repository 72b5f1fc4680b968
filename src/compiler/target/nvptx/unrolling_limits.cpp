#include "compiler/target/nvptx/unrolling_limits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>

namespace quern::compiler {
bool hasUnrollingOption(const llvm::Loop& loop) {
  const llvm::MDNode* options = loop.getLoopID();
  if (!options)
    return false;
  return llvm::any_of(llvm::drop_begin(options->operands()), [](const llvm::MDOperand& operand) {
    const auto* option = llvm::dyn_cast<llvm::MDNode>(operand);
    const auto* name = option && option->getNumOperands() > 0
                           ? llvm::dyn_cast<llvm::MDString>(option->getOperand(0))
                           : nullptr;
    return name && name->getString().starts_with("llvm.loop.unroll.");
  });
}

bool isConvergent(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isConvergent();
    });
  });
}

uint64_t instructionsOf(const llvm::Loop& loop) {
  uint64_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    count += block->size();
  return count;
}

bool hasCheapTripCount(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto dividesByUnknown = [](const llvm::SCEV* part) {
    const auto* division = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
    return division && !llvm::isa<llvm::SCEVConstant>(division->getRHS());
  };
  return loop.isLoopSimplifyForm() && loop.getExitingBlock() &&
         loop.getExitingBlock() == loop.getLoopLatch() &&
         evolution.hasLoopInvariantBackedgeTakenCount(&loop) &&
         !llvm::SCEVExprContains(evolution.getBackedgeTakenCount(&loop), dividesByUnknown);
}

} // namespace quern::compiler
