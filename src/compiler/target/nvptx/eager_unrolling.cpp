#include "compiler/target/nvptx/eager_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/il/loop.h"
#include "compiler/target/nvptx/unrolling_limits.h"

namespace quern::compiler {
namespace {

constexpr unsigned maxIterations = 128;
/// Instructions of all iterations together, before they are simplified.
constexpr uint64_t maxInstructions = 4000;
/// LLVM joins iterations of shorter loops itself.
constexpr uint64_t minInstructionsToUnroll = 16;

} // namespace

llvm::PreservedAnalyses EagerUnrollingPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                llvm::LoopStandardAnalysisResults& results,
                                                llvm::LPMUpdater&) {
  if (!loop.isInnermost() || hasUnrollingOption(loop))
    return llvm::PreservedAnalyses::all();
  const unsigned iterations = results.SE.getSmallConstantTripCount(&loop);
  const uint64_t instructions = instructionsOf(loop);
  if (iterations > 1 && iterations <= maxIterations && iterations * instructions <= maxInstructions)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  else if (iterations != 1 && instructions > minInstructionsToUnroll &&
           instructions <= maxInstructionsToUnroll && hasCheapTripCount(loop, results.SE) &&
           !isConvergent(loop))
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", partialUnrollCount);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
