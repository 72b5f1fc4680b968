#include "compiler/passes/independent_accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

bool isShared(const llvm::Value* pointer) {
  const unsigned addressSpace = pointer->getType()->getPointerAddressSpace();
  return addressSpace == address_space::global || addressSpace == address_space::constant ||
         addressSpace == address_space::local;
}

bool isIndependent(const llvm::Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic())
    return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return isShared(load->getPointerOperand()) ||
           load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return isShared(store->getPointerOperand());
  return false;
}

} // namespace

llvm::PreservedAnalyses IndependentAccessesPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager&) {
  if (llvm::MDNode* group = function.getMetadata(names::accessGroupMetadata))
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (isIndependent(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
