#include "compiler/codegen/local_atomics.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/il/address_space.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

bool isLocal(const llvm::Value* pointer) {
  return pointer->getType()->getPointerAddressSpace() == address_space::local;
}

bool makePlain(llvm::Instruction& instruction) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return isLocal(exchange->getPointerOperand()) && llvm::lowerAtomicCmpXchgInst(exchange);
  if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return isLocal(change->getPointerOperand()) && llvm::lowerAtomicRMWInst(change);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      load && load->isAtomic() && isLocal(load->getPointerOperand())) {
    load->setAtomic(llvm::AtomicOrdering::NotAtomic);
    return true;
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      store && store->isAtomic() && isLocal(store->getPointerOperand())) {
    store->setAtomic(llvm::AtomicOrdering::NotAtomic);
    return true;
  }
  return false;
}

} // namespace

llvm::PreservedAnalyses LocalAtomicsPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= makePlain(instruction);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
