#include "compiler/regions/sub_group_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/il/boundary.h"
#include "compiler/il/names.h"
#include "compiler/il/uniformity.h"
#include "compiler/work_items/collective_lowering.h"

namespace quern::compiler {
namespace {

using Calls = llvm::SmallVector<llvm::CallInst*>;

Calls subGroupBoundaries(llvm::Function& function) {
  Calls calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto boundary = boundaryOf(instruction); boundary && isOfSubGroup(*boundary))
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

/// Whether work-items can be in different iterations of `loop`. They cannot where one place to meet
/// is passed in every iteration and there is no other.
bool needsMeeting(const llvm::Loop& loop, const Calls& calls, const llvm::LoopInfo& loops,
                  const llvm::DominatorTree& dominators) {
  llvm::CallInst* only = nullptr;
  for (llvm::CallInst* call : calls)
    if (loop.contains(call)) {
      if (only)
        return true;
      only = call;
    }
  return only && (loops.getLoopFor(only->getParent()) != &loop ||
                  !dominators.dominates(only->getParent(), loop.getLoopLatch()));
}

} // namespace

llvm::PreservedAnalyses SubGroupLoopsPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  const Calls calls = subGroupBoundaries(function);
  if (calls.empty())
    return llvm::PreservedAnalyses::all();
  if (llvm::removeUnreachableBlocks(function))
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
  if (!analyses.getResult<UniformityAnalysis>(function)
           .of(UniformityRoot::workGroup())
           .nothingIsUniform())
    return llvm::PreservedAnalyses::all();
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops) // each with those inside it
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->getLoopLatch() && needsMeeting(*loop, calls, loops, dominators))
      addSubGroupBarrier(*loop->getLoopLatch()->getTerminator());
  return llvm::PreservedAnalyses::none();
}

} // namespace quern::compiler
