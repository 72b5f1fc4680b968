#include "compiler/regions/independent_accesses.h"

#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/address_space.h"
#include "compiler/il/names.h"

namespace quern::compiler {
namespace {

/// Bits for the kinds of memory that work-items share and may write. No pointer reaches both.
enum Kind : uint8_t { None = 0, Global = 1, Local = 2 };

Kind kindOf(const llvm::Value* pointer) {
  switch (pointer->getType()->getPointerAddressSpace()) {
  case address_space::global:
    return Global;
  case address_space::local:
    return Local;
  default:
    return None;
  }
}

/// Whether `access` is a plain load or store that no other work-item may depend on.
bool isIndependent(const llvm::Instruction& access) {
  if (access.isVolatile() || access.isAtomic())
    return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return kindOf(load->getPointerOperand()) != None ||
           load->getPointerAddressSpace() == address_space::constant ||
           load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access))
    return kindOf(store->getPointerOperand()) != None;
  return false;
}

/// The kinds of memory that may have been written when a block ends, given those when it begins;
/// `loadAfterStore` is set when the block reads one of them.
uint8_t throughBlock(const llvm::BasicBlock& block, uint8_t written, bool& loadAfterStore) {
  for (const llvm::Instruction& instruction : block) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      loadAfterStore |= (written & kindOf(load->getPointerOperand())) != 0;
    else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      written |= kindOf(store->getPointerOperand());
  }
  return written;
}

bool loadsComeFirst(llvm::Function& region) {
  llvm::DenseMap<const llvm::BasicBlock*, uint8_t> atEnd;
  bool loadAfterStore = false;
  for (bool changed = true; changed && !loadAfterStore;) {
    changed = false;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&region)) {
      uint8_t written = 0;
      for (const llvm::BasicBlock* predecessor : llvm::predecessors(block))
        written |= atEnd.lookup(predecessor);
      const uint8_t result = throughBlock(*block, written, loadAfterStore);
      changed |= std::exchange(atEnd[block], result) != result;
    }
  }
  return !loadAfterStore;
}

bool storesGoToOneObject(llvm::Function& region) {
  const llvm::Value* objects[Local + 1] = {};
  for (const llvm::Instruction& instruction : llvm::instructions(region))
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const llvm::Value* object = llvm::getUnderlyingObject(store->getPointerOperand(), 0);
      const llvm::Value*& known = objects[kindOf(store->getPointerOperand())];
      if (&known != &objects[None] && known && known != object)
        return false;
      known = object;
    }
  return true;
}

} // namespace

llvm::PreservedAnalyses IndependentAccessesPass::run(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager&) {
  llvm::MDNode* group = function.getMetadata(names::accessGroupMetadata);
  if (group && loadsComeFirst(function) && storesGoToOneObject(function))
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (isIndependent(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  return llvm::PreservedAnalyses::all();
}

} // namespace quern::compiler
