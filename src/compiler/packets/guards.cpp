#include "compiler/packets/guards.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/names.h"
#include "compiler/packets/packet_uniformity.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;

/// Whether a work-item that comes to `block` ends without having done anything more.
bool endsAtOnce(const BasicBlock* block) {
  for (llvm::SmallPtrSet<const BasicBlock*, 4> seen; block && seen.insert(block).second;
       block = block->getSingleSuccessor()) {
    for (const llvm::Instruction& instruction : *block)
      if (instruction.mayHaveSideEffects())
        return false;
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return true;
  }
  return false;
}

bool hasEffects(const BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return instruction.mayHaveSideEffects() && !isPacketGuard(instruction);
  });
}

llvm::FunctionCallee guardFunction(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  return module.getOrInsertFunction(names::packetGuard, llvm::Type::getVoidTy(context),
                                    llvm::Type::getInt1Ty(context));
}

} // namespace

bool isPacketGuard(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == names::packetGuard;
}

void takeOutGuards(llvm::Function& region, uint64_t alignment) {
  const PacketUniformity inRow(region, 0, alignment), inColumn(region, 1);
  BasicBlock* block = &region.getEntryBlock();
  BasicBlock* next = nullptr;
  llvm::SmallPtrSet<const BasicBlock*, 8> seen;
  // A block that something else leads to may lie in a loop.
  const auto runsOnce = [&] {
    return llvm::all_of(llvm::predecessors(block),
                        [&](const BasicBlock* before) { return seen.contains(before); });
  };
  for (; runsOnce() && !hasEffects(*block); block = next) {
    seen.insert(block);
    next = block->getSingleSuccessor();
    if (next)
      continue;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional())
      break;
    const bool endsOnTrue = endsAtOnce(branch->getSuccessor(0));
    if (endsOnTrue == endsAtOnce(branch->getSuccessor(1)))
      break;
    BasicBlock* left = branch->getSuccessor(endsOnTrue ? 0 : 1);
    next = branch->getSuccessor(endsOnTrue ? 1 : 0);
    if (!inRow.hasDivergentTerminator(*block) && !inColumn.hasDivergentTerminator(*block))
      continue;
    llvm::IRBuilder<> builder(branch);
    llvm::Value* condition = branch->getCondition();
    if (endsOnTrue)
      condition = builder.CreateNot(condition);
    builder.CreateCall(guardFunction(*region.getParent()), {condition});
    left->removePredecessor(block);
    builder.CreateBr(next);
    branch->eraseFromParent();
  }
  llvm::removeUnreachableBlocks(region);
}

} // namespace quern::compiler
