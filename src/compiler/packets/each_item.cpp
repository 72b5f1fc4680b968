#include "compiler/packets/each_item.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/atomic_operations.h"
#include "compiler/il/boundary.h"
#include "compiler/il/packet_operation.h"

namespace quern::compiler {
namespace {

/// Whether the exits of `loop` depend on what `source`, one of its instructions, yields.
bool decidesOn(const llvm::Loop& loop, const llvm::Instruction& source) {
  llvm::SmallSetVector<const llvm::Instruction*, 16> dependent;
  dependent.insert(&source);
  for (unsigned i = 0; i < dependent.size(); ++i)
    for (const llvm::User* user : dependent[i]->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (!loop.contains(instruction))
        continue;
      if (instruction->isTerminator())
        return true;
      dependent.insert(instruction);
    }
  return false;
}

/// Whether `function` or what it calls makes atomic or volatile accesses. Of what cannot be seen no
/// code of ours does.
bool isShared(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& seen) {
  if (!seen.insert(&function).second)
    return false;
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    if (isVolatileOrAtomic(instruction))
      return true;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && isShared(*callee, seen);
  });
}

} // namespace

bool isCombinable(const llvm::Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  return atomic ? isJoinable(*atomic) : isReservation(instruction);
}

bool mayWaitForOthers(llvm::Function& region, const llvm::LoopInfo& loops) {
  llvm::SmallPtrSet<const llvm::Function*, 8> seen;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        callee && !isReservation(instruction) && isShared(*callee, seen))
      return true;
    if (isVolatileOrAtomic(instruction) || isReservation(instruction))
      for (const llvm::Loop* loop = loops.getLoopFor(instruction.getParent()); loop;
           loop = loop->getParentLoop())
        if (decidesOn(*loop, instruction))
          return true;
  }
  return false;
}

} // namespace quern::compiler
