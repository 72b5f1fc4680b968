#include "compiler/loops/loop_transforms.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>

namespace quern::compiler {

bool rotateLoop(llvm::Loop& loop, unsigned mostCopied, llvm::FunctionAnalysisManager& analyses) {
  llvm::Function& function = *loop.getHeader()->getParent();
  return llvm::LoopRotation(&loop, &analyses.getResult<llvm::LoopAnalysis>(function),
                            &analyses.getResult<llvm::TargetIRAnalysis>(function),
                            &analyses.getResult<llvm::AssumptionAnalysis>(function),
                            &analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                            &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                            /*MSSAU=*/nullptr, llvm::SimplifyQuery(function.getDataLayout()),
                            /*RotationOnly=*/true, mostCopied, /*IsUtilMode=*/false);
}

bool unrollLoop(llvm::Loop& loop, const llvm::UnrollLoopOptions& options,
                llvm::FunctionAnalysisManager& analyses) {
  llvm::Function& function = *loop.getHeader()->getParent();
  return llvm::UnrollLoop(&loop, options, &analyses.getResult<llvm::LoopAnalysis>(function),
                          &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                          &analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                          &analyses.getResult<llvm::AssumptionAnalysis>(function),
                          &analyses.getResult<llvm::TargetIRAnalysis>(function),
                          &analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function),
                          /*PreserveLCSSA=*/true) != llvm::LoopUnrollResult::Unmodified;
}

} // namespace quern::compiler
