#include "compiler/work_items/local_volatiles.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

template <typename Access> bool dropVolatile(Access& access) {
  if (access.getPointerAddressSpace() != address_space::local || !access.isVolatile() ||
      access.isAtomic())
    return false;
  access.setVolatile(false);
  return true;
}

} // namespace

llvm::PreservedAnalyses LocalVolatilesPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      changed |= dropVolatile(*load);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      changed |= dropVolatile(*store);
  }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
