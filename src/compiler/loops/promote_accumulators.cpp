#include "compiler/loops/promote_accumulators.h"

#include <llvm/Analysis/AliasSetTracker.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/MemorySSAUpdater.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PredIteratorCache.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/loops/loop_transforms.h"

namespace quern::compiler {
namespace {

using Addresses = llvm::SmallSetVector<llvm::Value*, 8>;

class Promotion {
public:
  Promotion(llvm::Loop& loop, llvm::FunctionAnalysisManager& analyses)
      : loop_(loop), function_(*loop.getHeader()->getParent()), analyses_(analyses) {}

  bool run() {
    if (!loop_.isLoopSimplifyForm() || !loop_.hasDedicatedExits() || !shareAddresses() ||
        accumulators().empty())
      return hasChanged_;
    if (!loop_.isRotatedForm()) {
      if (!rotateLoop(loop_, mostRotated, analyses_) || !loop_.isRotatedForm())
        return hasChanged_;
      noteChange();
    }
    for (const Addresses& addresses : accumulators())
      promote(addresses);
    return hasChanged_;
  }

private:
  /// Computes addresses of stores that all iterations share before the loop. Returns whether there
  /// are any.
  bool shareAddresses() {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    bool found = false;
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        llvm::Value* address = store ? store->getPointerOperand() : nullptr;
        if (!store || !store->isUnordered() ||
            !evolution.isLoopInvariant(evolution.getSCEV(address), &loop_))
          continue;
        bool moved = false;
        found |= loop_.makeLoopInvariant(address, moved, nullptr, nullptr, &evolution);
        if (moved)
          noteChange();
      }
    return found;
  }

  /// Sets of addresses that are the same, and that nothing else in the loop reaches.
  llvm::SmallVector<Addresses> accumulators() {
    llvm::BatchAAResults aliases(analyses_.getResult<llvm::AAManager>(function_));
    llvm::AliasSetTracker tracker(aliases);
    for (llvm::BasicBlock* block : loop_.blocks())
      tracker.add(*block);
    llvm::SmallVector<Addresses> found;
    for (const llvm::AliasSet& set : tracker) {
      if (set.isForwardingAliasSet() || !set.isMustAlias() || !set.isMod())
        continue;
      const auto pointers = set.getPointers();
      if (llvm::all_of(pointers, [this](const llvm::Value* pointer) {
            return loop_.isLoopInvariant(pointer);
          })) {
        Addresses addresses;
        for (const llvm::Value* pointer : pointers)
          addresses.insert(const_cast<llvm::Value*>(pointer));
        found.push_back(std::move(addresses));
      }
    }
    return found;
  }

  void promote(const Addresses& addresses) {
    llvm::SmallVector<llvm::BasicBlock*> exits;
    loop_.getUniqueExitBlocks(exits);
    llvm::SmallVector<llvm::BasicBlock::iterator> places;
    for (llvm::BasicBlock* exit : exits)
      places.push_back(exit->getFirstInsertionPt());
    llvm::SmallVector<llvm::MemoryAccess*> accesses(exits.size(), nullptr);
    llvm::MemorySSAUpdater memory(
        &analyses_.getResult<llvm::MemorySSAAnalysis>(function_).getMSSA());
    llvm::ICFLoopSafetyInfo safety;
    safety.computeLoopSafetyInfo(&loop_);
    llvm::PredIteratorCache predecessors;
    if (llvm::promoteLoopAccessesToScalars(
            addresses, exits, places, accesses, predecessors,
            &analyses_.getResult<llvm::LoopAnalysis>(function_),
            &analyses_.getResult<llvm::DominatorTreeAnalysis>(function_),
            &analyses_.getResult<llvm::AssumptionAnalysis>(function_),
            &analyses_.getResult<llvm::TargetLibraryAnalysis>(function_),
            &analyses_.getResult<llvm::TargetIRAnalysis>(function_), &loop_, memory, &safety,
            &analyses_.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function_),
            /*AllowSpeculation=*/true, /*HasReadsOutsideSet=*/false)) {
      noteChange();
      // What a loop inside writes is used behind that loop now.
      llvm::formLCSSARecursively(loop_, analyses_.getResult<llvm::DominatorTreeAnalysis>(function_),
                                 &analyses_.getResult<llvm::LoopAnalysis>(function_),
                                 &analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_));
    }
  }

  void noteChange() {
    hasChanged_ = true;
    llvm::PreservedAnalyses kept = llvm::PreservedAnalyses::all();
    kept.abandon<llvm::MemorySSAAnalysis>();
    analyses_.invalidate(function_, kept);
    analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_).forgetLoop(&loop_);
  }

  llvm::Loop& loop_;
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  bool hasChanged_ = false;
};

} // namespace

llvm::PreservedAnalyses PromoteAccumulatorsPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  bool hasChanged = false;
  const auto order = analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder();
  // Inner loops first: what they wrote at their end the outer ones may keep.
  for (llvm::Loop* loop : llvm::reverse(order))
    hasChanged |= Promotion(*loop, analyses).run();
  return hasChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
