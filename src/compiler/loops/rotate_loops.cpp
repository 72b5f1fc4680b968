#include "compiler/loops/rotate_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>

#include "compiler/loops/loop_transforms.h"

namespace quern::compiler {

llvm::PreservedAnalyses RotateLoopsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const llvm::TargetTransformInfo& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::AssumptionCache& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  const llvm::SimplifyQuery query(function.getDataLayout(), /*TLI=*/nullptr, /*DT=*/nullptr,
                                  &assumptions);
  bool hasChanged = false;
  const auto order = loops.getLoopsInPreorder();
  // Inner loops first.
  for (llvm::Loop* loop : llvm::reverse(order))
    hasChanged |= llvm::LoopRotation(loop, &loops, &costs, &assumptions, /*DT=*/nullptr,
                                     /*SE=*/nullptr, /*MSSAU=*/nullptr, query,
                                     /*RotationOnly=*/false, mostRotated, /*IsUtilMode=*/false);
  return hasChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
