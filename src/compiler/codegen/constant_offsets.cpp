#include "compiler/codegen/constant_offsets.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

/// Whether `instruction` adds a constant that x86's instructions have room for to an address.
bool addsConstant(const llvm::Instruction& instruction) {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (!address || address->getType()->isVectorTy())
    return false;
  const llvm::DataLayout& layout = address->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  return address->accumulateConstantOffset(layout, offset) && offset.isSignedIntN(32);
}

/// Where the value that `use` uses must be.
llvm::BasicBlock* blockOf(const llvm::Use& use) {
  const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
    return phi->getIncomingBlock(use);
  return const_cast<llvm::BasicBlock*>(user->getParent());
}

bool moveToUses(llvm::Instruction& address) {
  llvm::DenseMap<llvm::BasicBlock*, llvm::Instruction*> copies;
  for (llvm::Use& use : llvm::make_early_inc_range(address.uses())) {
    llvm::BasicBlock* const block = blockOf(use);
    if (block == address.getParent())
      continue;
    llvm::Instruction*& copy = copies[block];
    if (!copy) {
      copy = address.clone();
      copy->insertInto(block, block->getFirstInsertionPt());
      copy->setName(address.getName());
    }
    use.set(copy);
  }
  if (address.use_empty())
    address.eraseFromParent();
  return !copies.empty();
}

} // namespace

llvm::PreservedAnalyses ConstantOffsetsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*> addresses;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (addsConstant(instruction))
      addresses.push_back(&instruction);
  bool changed = false;
  for (llvm::Instruction* address : addresses)
    changed |= moveToUses(*address);
  return preservedWithCfg(changed);
}

} // namespace quern::compiler
