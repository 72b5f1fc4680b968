#include "compiler/target/nvptx/unrolling_limits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>

namespace quern::compiler {

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
