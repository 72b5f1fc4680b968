#include "compiler/program/atomic_accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

template <typename Access> bool dropVolatile(Access& access) {
  const bool wasVolatile = access.isVolatile();
  access.setVolatile(false);
  return wasVolatile;
}

} // namespace

llvm::PreservedAnalyses AtomicAccessesPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      changed |= dropVolatile(*change);
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      changed |= dropVolatile(*exchange);
    else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
      changed |= dropVolatile(*load);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
             store && store->isAtomic())
      changed |= dropVolatile(*store);
  }
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
