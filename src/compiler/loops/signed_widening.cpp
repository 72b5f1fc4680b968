#include "compiler/loops/signed_widening.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {

llvm::PreservedAnalyses SignedWideningPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* wide = llvm::dyn_cast<llvm::ZExtInst>(&instruction); wide && wide->hasNonNeg()) {
      llvm::IRBuilder<> builder(wide);
      llvm::Value* same = builder.CreateSExt(wide->getOperand(0), wide->getType());
      same->takeName(wide);
      wide->replaceAllUsesWith(same);
      wide->eraseFromParent();
      changed = true;
    }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
