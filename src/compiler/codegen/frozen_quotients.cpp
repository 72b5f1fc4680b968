#include "compiler/codegen/frozen_quotients.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

bool dividesVectorByConstant(const llvm::Instruction& instruction) {
  return instruction.isIntDivRem() && instruction.getType()->isVectorTy() &&
         llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

void freeze(llvm::Instruction& quotient) {
  llvm::IRBuilder<> builder(quotient.getNextNode());
  auto* frozen = llvm::cast<llvm::Instruction>(
      builder.CreateFreeze(&quotient, quotient.getName() + ".frozen"));
  quotient.replaceUsesWithIf(frozen, [&](const llvm::Use& use) { return use.getUser() != frozen; });
}

} // namespace

llvm::PreservedAnalyses FrozenQuotientsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (dividesVectorByConstant(instruction)) {
      freeze(instruction);
      changed = true;
    }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
