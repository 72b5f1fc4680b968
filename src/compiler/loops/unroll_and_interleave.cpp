#include "compiler/loops/unroll_and_interleave.h"

#include "compiler/il/loop.h"
#include "compiler/loops/pipeline_stages.h"

namespace quern::compiler {
namespace {

/// Instructions of a function from which on its loops stay as they are, for the time of a compile.
constexpr unsigned mostInstructions = 4000;

} // namespace

llvm::PreservedAnalyses UnrollAndInterleavePass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  if (function.getInstructionCount() > mostInstructions)
    return llvm::PreservedAnalyses::all();
  const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (!hasUnrollingOption(*loop) && hasShortStages(*loop, machine))
      setUnrollCount(*loop, 2);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
