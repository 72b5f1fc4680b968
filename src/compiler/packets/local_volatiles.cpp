#include "compiler/packets/local_volatiles.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/names.h"
#include "compiler/il/preserved_analyses.h"
#include "compiler/packets/each_item.h"

namespace quern::compiler {
namespace {

bool isVolatileLocal(const llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && pointer->getType()->getPointerAddressSpace() == address_space::local &&
         instruction.isVolatile() && !instruction.isAtomic();
}

} // namespace

llvm::PreservedAnalyses LocalVolatilesPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(names::regionAttribute))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Instruction*> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isVolatileLocal(instruction))
      accesses.push_back(&instruction);
  if (accesses.empty() ||
      mayWaitForOthers(function, analyses.getResult<llvm::LoopAnalysis>(function)))
    return llvm::PreservedAnalyses::all();
  for (llvm::Instruction* access : accesses)
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access))
      load->setVolatile(false);
    else
      llvm::cast<llvm::StoreInst>(access)->setVolatile(false);
  return preservedWithCfg(true);
}

} // namespace quern::compiler
