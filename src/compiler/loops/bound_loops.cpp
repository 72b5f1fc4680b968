#include "compiler/loops/bound_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/il/loop.h"

namespace quern::compiler {
namespace {

/// Instructions of a loop after the unrolling that the program asks for.
constexpr uint64_t maxUnrolledInstructions = 1 << 16;
/// How often a body is repeated instead where the program asks for too much.
constexpr uint64_t moderateCopies = 8;
/// Instructions of a loop that LLVM's vectoriser handles in a few tens of milliseconds.
constexpr uint64_t maxVectorizedInstructions = 1000;

/// Instructions of a loop from which on copies of it, by a count that is only known at run time,
/// gain nothing any more: what counting costs is a small part of an iteration.
constexpr uint64_t maxInstructionsToCopy = 32;

/// Instructions of a function from which on loops are not unrolled by a count that is only known at
/// run time: the copies, of hundreds of loops, are what register allocation takes seconds for.
constexpr uint64_t maxInstructionsToUnroll = 1000;

/// How often the program wants the body of `loop` repeated.
uint64_t requestedCopies(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::MDNode* count = llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.count");
  if (!count && !llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.full") &&
      !llvm::findOptionMDForLoop(&loop, "llvm.loop.unroll.enable"))
    return 1;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (!count)
    return std::max(trips, 1u);
  const uint64_t wanted =
      llvm::mdconst::extract<llvm::ConstantInt>(count->getOperand(1))->getZExtValue();
  return trips ? std::min<uint64_t>(wanted, trips) : wanted;
}

/// Checks the nest of `loop`, inner loops first; returns its instructions after unrolling.
uint64_t bound(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  uint64_t size = 0;
  for (llvm::Loop* inner : loop)
    size = llvm::SaturatingAdd(size, bound(*inner, evolution));
  if (loop.isInnermost()) {
    size = instructionsOf(loop);
    if (size > maxVectorizedInstructions)
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.vectorize.enable", 0);
  } else {
    for (const llvm::BasicBlock* block : loop.blocks())
      if (llvm::none_of(loop, [&](const llvm::Loop* inner) { return inner->contains(block); }))
        size += block->size();
  }
  const uint64_t copies = requestedCopies(loop, evolution);
  if (copies == 1 && size > maxInstructionsToCopy)
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.runtime.disable");
  const uint64_t unrolled = llvm::SaturatingMultiply(size, copies);
  if (unrolled <= maxUnrolledInstructions || unrolled == size)
    return unrolled;
  setUnrollCount(loop, moderateCopies);
  return llvm::SaturatingMultiply(size, moderateCopies);
}

} // namespace

llvm::PreservedAnalyses BoundLoopsPass::run(llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses) {
  llvm::ScalarEvolution& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Loop* loop : loops)
    bound(*loop, evolution);
  if (function.getInstructionCount() > maxInstructionsToUnroll)
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      if (requestedCopies(*loop, evolution) == 1)
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
