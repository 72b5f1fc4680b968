#include "compiler/work_items/common_stores.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/il/names.h"
#include "compiler/il/preserved_analyses.h"

namespace quern::compiler {
namespace {

using llvm::Value;

/// The store after which `block` accesses no memory and goes on to its only successor.
llvm::StoreInst* lastStore(llvm::BasicBlock& block) {
  if (!block.getSingleSuccessor())
    return nullptr;
  for (llvm::Instruction& instruction : llvm::reverse(block))
    if (instruction.mayReadOrWriteMemory()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && store->isSimple() ? store : nullptr;
    }
  return nullptr;
}

bool computes(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::GetElementPtrInst>(instruction) || instruction.isCast() ||
         (instruction.isBinaryOp() && !instruction.isIntDivRem());
}

/// Whether both are computed in the same way of the same values.
bool areComputedAlike(const Value* a, const Value* b, unsigned depth = 0) {
  constexpr unsigned maxDepth = 6;
  if (a == b)
    return true;
  const auto* first = llvm::dyn_cast<llvm::Instruction>(a);
  const auto* second = llvm::dyn_cast<llvm::Instruction>(b);
  if (!first || !second || depth == maxDepth || !first->isSameOperationAs(second) ||
      !computes(*first))
    return false;
  for (unsigned i = 0; i < first->getNumOperands(); ++i)
    if (!areComputedAlike(first->getOperand(i), second->getOperand(i), depth + 1))
      return false;
  return true;
}

/// `a`, which is computed like `b`, as a value at `builder`.
Value* common(Value* a, Value* b, llvm::IRBuilder<>& builder) {
  if (a == b)
    return a;
  auto* first = llvm::cast<llvm::Instruction>(a);
  auto* second = llvm::cast<llvm::Instruction>(b);
  llvm::Instruction* copy = first->clone();
  for (unsigned i = 0; i < first->getNumOperands(); ++i)
    copy->setOperand(i, common(first->getOperand(i), second->getOperand(i), builder));
  copy->andIRFlags(second);
  return builder.Insert(copy);
}

/// Of two loaded values LLVM would make one that is loaded from the one place or the other.
bool areLoaded(const Value* a, const Value* b) {
  return a != b && llvm::isa<llvm::LoadInst>(a) && llvm::isa<llvm::LoadInst>(b);
}

/// Of the two ways to `block`.
bool joinStores(llvm::BasicBlock& block) {
  const llvm::SmallVector<llvm::BasicBlock*, 2> ways(llvm::predecessors(&block));
  if (ways.size() != 2 || ways[0] == ways[1])
    return false;
  llvm::StoreInst* a = lastStore(*ways[0]);
  llvm::StoreInst* b = lastStore(*ways[1]);
  if (!a || !b || a->getValueOperand()->getType() != b->getValueOperand()->getType() ||
      areLoaded(a->getValueOperand(), b->getValueOperand()) ||
      !areComputedAlike(a->getPointerOperand(), b->getPointerOperand()))
    return false;
  llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
  Value* pointer = common(a->getPointerOperand(), b->getPointerOperand(), builder);
  llvm::StoreInst* joined = builder.CreateAlignedStore(a->getValueOperand(), pointer,
                                                       std::min(a->getAlign(), b->getAlign()));
  joined->setDebugLoc(llvm::DebugLoc::getMergedLocation(a->getDebugLoc(), b->getDebugLoc()));
  if (a->getValueOperand() != b->getValueOperand()) {
    builder.SetInsertPoint(&block, block.begin());
    llvm::PHINode* value = builder.CreatePHI(a->getValueOperand()->getType(), 2);
    value->addIncoming(a->getValueOperand(), ways[0]);
    value->addIncoming(b->getValueOperand(), ways[1]);
    joined->setOperand(0, value);
  }
  a->eraseFromParent();
  b->eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses CommonStoresPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(names::kernelAttribute))
    return llvm::PreservedAnalyses::all();
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function)
    while (joinStores(block))
      hasChanged = true;
  return preservedWithCfg(hasChanged);
}

} // namespace quern::compiler
