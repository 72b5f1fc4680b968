#include "compiler/nvptx/eager_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace quern::compiler {
namespace {

constexpr unsigned maxRounds = 128;
/// Instructions of all rounds together, before they are simplified.
constexpr uint64_t maxInstructions = 4000;

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

} // namespace

llvm::PreservedAnalyses EagerUnrollingPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                llvm::LoopStandardAnalysisResults& results,
                                                llvm::LPMUpdater&) {
  const unsigned rounds = results.SE.getSmallConstantTripCount(&loop);
  if (loop.isInnermost() && rounds > 1 && rounds <= maxRounds && !hasUnrollingOption(loop) &&
      rounds * instructionsOf(loop) <= maxInstructions)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
