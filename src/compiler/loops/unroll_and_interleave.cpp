#include "compiler/loops/unroll_and_interleave.h"

#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/loops/pipeline_stages.h"

namespace quern::compiler {
namespace {

/// Instructions of a function from which on its loops stay as they are, for the time of a compile.
constexpr unsigned mostInstructions = 4000;

bool hasOwnWish(const llvm::Loop& loop) {
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{"llvm.loop.unroll.count", "llvm.loop.unroll.full",
                                             "llvm.loop.unroll.enable", "llvm.loop.unroll.disable"},
      [&](llvm::StringRef name) { return llvm::findOptionMDForLoop(&loop, name) != nullptr; });
}

void unrollOnce(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::Metadata* const count[] = {
      llvm::MDString::get(context, "llvm.loop.unroll.count"),
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 2))};
  loop.setLoopID(llvm::makePostTransformationMetadata(
      context, loop.getLoopID(), {"llvm.loop.unroll."}, {llvm::MDNode::get(context, count)}));
}

} // namespace

llvm::PreservedAnalyses UnrollAndInterleavePass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  if (function.getInstructionCount() > mostInstructions)
    return llvm::PreservedAnalyses::all();
  const auto& machine = analyses.getResult<llvm::TargetIRAnalysis>(function);
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (!hasOwnWish(*loop) && hasShortStages(*loop, machine))
      unrollOnce(*loop);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
