#include "compiler/packets/each_item.h"

#include <optional>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/atomic_operations.h"
#include "compiler/il/boundary.h"
#include "compiler/il/packet_operation.h"

namespace quern::compiler {
namespace {

/// What in a loop depends on one of its instructions: on its value, on a branch that depends on it
/// (control dependence, Ferrante, Ottenstein and Warren, TOPLAS 1987), or on what has been written
/// where such a branch led.
class DependenceInLoop {
public:
  DependenceInLoop(const llvm::Loop& loop, const llvm::PostDominatorTree& joins)
      : loop_(loop), joins_(joins) {}

  /// Whether how often the loop runs depends on `source`.
  bool decidesOn(const llvm::Instruction& source) {
    dependent_.insert(&source);
    for (unsigned i = 0; i < dependent_.size(); ++i) {
      const llvm::Instruction& instruction = *dependent_[i];
      if (instruction.isTerminator() && !branch(*instruction.getParent()))
        return true;
      if (&instruction != &source)
        noteWriteOf(instruction);
      for (const llvm::User* user : instruction.users())
        if (const auto* use = llvm::cast<llvm::Instruction>(user); loop_.contains(use))
          dependent_.insert(use);
    }
    return false;
  }

private:
  /// Follows the ways from `block` to where they join. False where one may leave the loop.
  bool branch(const llvm::BasicBlock& block) {
    const llvm::DomTreeNode* const node = joins_.getNode(&block);
    const llvm::DomTreeNode* const next = node ? node->getIDom() : nullptr;
    const llvm::BasicBlock* const join = next ? next->getBlock() : nullptr;
    if (!join || !loop_.contains(join))
      return false;
    llvm::SmallSetVector<const llvm::BasicBlock*, 8> ways;
    const auto addSuccessors = [&](const llvm::BasicBlock& from) {
      for (const llvm::BasicBlock* successor : llvm::successors(&from))
        if (successor != join)
          ways.insert(successor);
    };
    addSuccessors(block);
    for (unsigned i = 0; i < ways.size(); ++i) {
      if (loop_.isLoopExiting(ways[i]))
        return false;
      addSuccessors(*ways[i]);
    }
    ways.insert(&block);
    addChosen(*join, ways);
    for (const llvm::BasicBlock* way : ways)
      if (way != &block) {
        addChosen(*way, ways);
        llvm::for_each(*way,
                       [&](const llvm::Instruction& instruction) { noteWriteOf(instruction); });
      }
    return true;
  }

  /// The values at the begin of `block` that depend on which of `ways` led there.
  void addChosen(const llvm::BasicBlock& block,
                 const llvm::SmallSetVector<const llvm::BasicBlock*, 8>& ways) {
    for (const llvm::PHINode& phi : block.phis()) {
      const llvm::Value* only = nullptr;
      for (const auto& [value, from] : llvm::zip(phi.incoming_values(), phi.blocks()))
        if (ways.contains(from)) {
          if (only && only != value)
            dependent_.insert(&phi);
          only = value;
        }
    }
  }

  /// What is written may be read again: by all loads, of whose places nothing is known.
  void noteWriteOf(const llvm::Instruction& instruction) {
    if (!instruction.mayWriteToMemory() || hasWritten_)
      return;
    hasWritten_ = true;
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const llvm::Instruction& reader : *block)
        if (reader.mayReadFromMemory())
          dependent_.insert(&reader);
  }

  const llvm::Loop& loop_;
  const llvm::PostDominatorTree& joins_;
  llvm::SmallSetVector<const llvm::Instruction*, 16> dependent_;
  bool hasWritten_ = false;
};

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
  std::optional<llvm::PostDominatorTree> joins;
  for (const llvm::Instruction& instruction : llvm::instructions(region)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        callee && !isReservation(instruction) && isShared(*callee, seen))
      return true;
    if (isVolatileOrAtomic(instruction) || isReservation(instruction))
      for (const llvm::Loop* loop = loops.getLoopFor(instruction.getParent()); loop;
           loop = loop->getParentLoop()) {
        if (!joins)
          joins.emplace(region);
        if (DependenceInLoop(*loop, *joins).decidesOn(instruction))
          return true;
      }
  }
  return false;
}

} // namespace quern::compiler
