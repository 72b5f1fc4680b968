#include "compiler/regions/liveness.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace quern::compiler {

Liveness::Liveness(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (!llvm::isa<llvm::AllocaInst>(instruction) &&
        instruction.isUsedOutsideOfBlock(instruction.getParent())) {
      indices_[&instruction] = values_.size();
      values_.push_back(&instruction);
    }
  for (llvm::BasicBlock& block : function)
    collect(block);
  // Successors first, until nothing changes: few iterations, as many as loops are nested.
  const llvm::SmallVector<llvm::BasicBlock*> order(llvm::post_order(&function));
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order)
      changed |= update(*block);
  }
}

void Liveness::collect(llvm::BasicBlock& block) {
  BlockSets& sets = blocks_[&block];
  for (llvm::BitVector* set :
       {&sets.usedBeforeDefined, &sets.defined, &sets.usedBySuccessorPhis, &sets.liveIn})
    set->resize(values_.size());
  const auto indexOf = [&](const llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const auto found = instruction ? indices_.find(instruction) : indices_.end();
    return found == indices_.end() ? -1 : static_cast<int>(found->second);
  };
  for (llvm::Instruction& instruction : block) {
    if (!llvm::isa<llvm::PHINode>(instruction))
      for (const llvm::Value* operand : instruction.operands())
        if (const int index = indexOf(operand); index >= 0 && !sets.defined[index])
          sets.usedBeforeDefined.set(index);
    if (const int index = indexOf(&instruction); index >= 0)
      sets.defined.set(index);
  }
  for (llvm::BasicBlock* successor : llvm::successors(&block))
    for (llvm::PHINode& phi : successor->phis())
      if (const int index = indexOf(phi.getIncomingValueForBlock(&block)); index >= 0)
        sets.usedBySuccessorPhis.set(index);
}

bool Liveness::update(const llvm::BasicBlock& block) {
  BlockSets& sets = blocks_.find(&block)->second;
  llvm::BitVector live = sets.usedBySuccessorPhis;
  for (const llvm::BasicBlock* successor : llvm::successors(&block))
    live |= blocks_.find(successor)->second.liveIn;
  live.reset(sets.defined);
  live |= sets.usedBeforeDefined;
  if (live == sets.liveIn)
    return false;
  sets.liveIn = std::move(live);
  return true;
}

llvm::SetVector<llvm::Instruction*> Liveness::atStart(const llvm::BasicBlock& block) const {
  llvm::SetVector<llvm::Instruction*> live;
  for (unsigned index : blocks_.find(&block)->second.liveIn.set_bits())
    live.insert(values_[index]);
  return live;
}

} // namespace quern::compiler
