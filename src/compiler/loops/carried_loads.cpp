#include "compiler/loops/carried_loads.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>

namespace quern::compiler {
namespace {

/// Whether an iteration of `loop` reads what the one before wrote, if nothing else does there.
bool readsWhatWasStored(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  struct Access {
    llvm::Type* type;
    const llvm::SCEVAddRecExpr* place;
  };
  llvm::SmallVector<Access> loads, stores;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block) {
      llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isVolatile() || instruction.isAtomic())
        continue;
      const auto* place = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(pointer));
      if (place && place->getLoop() == &loop)
        (llvm::isa<llvm::StoreInst>(instruction) ? stores : loads)
            .push_back({llvm::getLoadStoreType(&instruction), place});
    }
  for (const Access& store : stores)
    for (const Access& load : loads)
      if (store.type == load.type && evolution.getMinusSCEV(store.place, load.place) ==
                                         store.place->getStepRecurrence(evolution))
        return true;
  return false;
}

} // namespace

llvm::PreservedAnalyses CarriedLoadsPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && readsWhatWasStored(*loop, evolution))
      return llvm::LoopLoadEliminationPass().run(function, analyses);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
