#include "compiler/checks/promote_pointers.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {

llvm::PreservedAnalyses PromotePointersPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::AllocaInst*> pointers;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && variable->getAllocatedType()->isPointerTy() &&
        llvm::isAllocaPromotable(variable))
      pointers.push_back(variable);
  if (!pointers.empty())
    llvm::PromoteMemToReg(pointers, analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  return preservedWithCfg(!pointers.empty());
}

} // namespace quern::compiler
