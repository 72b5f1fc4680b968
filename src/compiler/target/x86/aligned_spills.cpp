#include "compiler/target/x86/aligned_spills.h"

#include <llvm/IR/InstIterator.h>

namespace quern::compiler {
namespace {

constexpr unsigned stackBits = 128;

bool isWide(const llvm::Instruction& instruction) {
  return instruction.getType()->isVectorTy() &&
         instruction.getType()->getPrimitiveSizeInBits().getFixedValue() > stackBits;
}

} // namespace

llvm::PreservedAnalyses AlignedSpillsPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager&) {
  if (llvm::none_of(llvm::instructions(function), isWide))
    return llvm::PreservedAnalyses::all();
  function.addFnAttr("stackrealign");
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
