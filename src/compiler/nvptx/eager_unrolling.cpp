#include "compiler/nvptx/eager_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace quern::compiler {
namespace {

constexpr unsigned maxRounds = 128;
/// Instructions of all rounds together, before they are simplified.
constexpr uint64_t maxInstructions = 4000;
/// Of loops of more rounds so many become one. LLVM does the same, but only to loops of up to the
/// lower number of instructions.
constexpr unsigned joinedRounds = 4;
constexpr uint64_t fewestInstructionsToJoin = 16, mostInstructionsToJoin = 64;

/// What the program says about unrolling counts.
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

uint64_t instructionsOf(const llvm::Loop& loop) {
  uint64_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    count += block->size();
  return count;
}

/// Work-items that leave the loop in different rounds must still meet where they met before.
bool isConvergent(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isConvergent();
    });
  });
}

/// Whether the number of rounds is known before the first one.
bool countsRounds(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return loop.isLoopSimplifyForm() && loop.getExitingBlock() &&
         loop.getExitingBlock() == loop.getLoopLatch() &&
         evolution.hasLoopInvariantBackedgeTakenCount(&loop);
}

} // namespace

llvm::PreservedAnalyses EagerUnrollingPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                llvm::LoopStandardAnalysisResults& results,
                                                llvm::LPMUpdater&) {
  if (!loop.isInnermost() || hasUnrollingOption(loop))
    return llvm::PreservedAnalyses::all();
  const unsigned rounds = results.SE.getSmallConstantTripCount(&loop);
  const uint64_t instructions = instructionsOf(loop);
  if (rounds > 1 && rounds <= maxRounds && rounds * instructions <= maxInstructions)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  else if (rounds != 1 && instructions > fewestInstructionsToJoin &&
           instructions <= mostInstructionsToJoin && countsRounds(loop, results.SE) &&
           !isConvergent(loop))
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", joinedRounds);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
