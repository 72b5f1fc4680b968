#include "compiler/regions/private_variables.h"

#include <algorithm>

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/boundary.h"

namespace quern::compiler {
namespace {

/// What a kernel's variables may take of a worker thread's stack, of which we know nothing but that
/// it can be small.
constexpr uint64_t maxStackBytes = 4096;

uint64_t sizeOf(const llvm::AllocaInst& variable) {
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  return size ? size->getFixedValue() : 0;
}

/// All instructions that touch a variable through any pointer derived from it. `escapes` when the
/// address is stored, converted or given to a call, after which it may be touched from anywhere.
struct Accesses {
  llvm::SmallSetVector<llvm::Instruction*, 16> touches;
  bool escapes = false;
};

bool passesPointerOn(const llvm::Instruction& user) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst,
                   llvm::PHINode, llvm::SelectInst>(user);
}

Accesses findAccesses(llvm::AllocaInst& variable) {
  Accesses result;
  llvm::SmallSetVector<llvm::Instruction*, 16> pointers;
  pointers.insert(&variable);
  for (unsigned i = 0; i < pointers.size(); ++i)
    for (llvm::Use& use : pointers[i]->uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (passesPointerOn(*user)) {
        pointers.insert(user);
        continue;
      }
      result.touches.insert(user);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      result.escapes |= (store && store->getValueOperand() == use.get()) ||
                        (call && !call->isDataOperand(&use)) ||
                        (call && call->isDataOperand(&use) &&
                         !call->doesNotCapture(call->getDataOperandNo(&use))) ||
                        llvm::isa<llvm::PtrToIntInst, llvm::PtrToAddrInst, llvm::InsertValueInst,
                                  llvm::InsertElementInst, llvm::AtomicCmpXchgInst,
                                  llvm::AtomicRMWInst, llvm::ReturnInst>(user);
    }
  return result;
}

/// Solves, for all variables at once, "may be touched later" backwards and "may have been touched
/// before" forwards. A variable's life starts anew at each llvm.lifetime marker.
class VariableLiveness {
public:
  VariableLiveness(llvm::Function& function, llvm::ArrayRef<Accesses> accesses)
      : function_(function) {
    for (llvm::BasicBlock& block : function)
      for (llvm::BitVector* set : {&at(block).exposed, &at(block).ended, &at(block).left,
                                   &at(block).needed, &at(block).touched})
        set->resize(accesses.size());
    for (unsigned i = 0; i < accesses.size(); ++i)
      summarize(i, accesses[i]);
    solve();
  }

  bool crosses(unsigned variable, const llvm::BasicBlock& regionEntry) const {
    const BlockSets& sets = blocks_.find(&regionEntry)->second;
    return sets.needed[variable] && sets.touched[variable];
  }

private:
  struct BlockSets {
    llvm::BitVector exposed;         ///< touched before any marker of the block
    llvm::BitVector ended;           ///< has a marker in the block
    llvm::BitVector left;            ///< touched after the last marker of the block
    llvm::BitVector needed, touched; ///< the solutions, at the block's start
  };
  BlockSets& at(const llvm::BasicBlock& block) { return blocks_[&block]; }

  void summarize(unsigned variable, const Accesses& accesses) {
    llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::Instruction*>> byBlock;
    for (llvm::Instruction* touch : accesses.touches)
      byBlock[touch->getParent()].push_back(touch);
    for (auto& [block, touches] : byBlock) {
      llvm::sort(touches, [](const llvm::Instruction* a, const llvm::Instruction* b) {
        return a->comesBefore(b);
      });
      BlockSets& sets = at(*block);
      for (const llvm::Instruction* touch : touches) {
        if (llvm::isa<llvm::LifetimeIntrinsic>(touch)) {
          sets.ended.set(variable);
          sets.left.reset(variable);
        } else {
          if (!sets.ended[variable])
            sets.exposed.set(variable);
          sets.left.set(variable);
        }
      }
    }
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock& block : llvm::reverse(function_))
        changed |= updateNeeded(block);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock& block : function_)
        changed |= updateTouched(block);
    }
  }

  bool updateNeeded(llvm::BasicBlock& block) {
    BlockSets& sets = at(block);
    llvm::BitVector needed(sets.needed.size());
    for (llvm::BasicBlock* successor : llvm::successors(&block))
      needed |= at(*successor).needed;
    needed.reset(sets.ended);
    needed |= sets.exposed;
    const bool changed = needed != sets.needed;
    sets.needed = std::move(needed);
    return changed;
  }

  bool updateTouched(llvm::BasicBlock& block) {
    BlockSets& sets = at(block);
    llvm::BitVector touched(sets.touched.size());
    for (llvm::BasicBlock* predecessor : llvm::predecessors(&block)) {
      const BlockSets& before = at(*predecessor);
      llvm::BitVector out = before.touched;
      out.reset(before.ended);
      out |= before.left;
      touched |= out;
    }
    const bool changed = touched != sets.touched;
    sets.touched = std::move(touched);
    return changed;
  }

  llvm::Function& function_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockSets> blocks_;
};

} // namespace

PrivateVariables::PrivateVariables(llvm::Function& item, const RegionGraph& graph) {
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      variables_.push_back(variable);
      places_[variable] = VariablePlace::Stack;
    }
  if (variables_.empty())
    return;
  if (graph.regions().size() > 1)
    findCrossing(item, graph);
  moveLargeOffStack();
  for (const llvm::AllocaInst* variable : variables_)
    if (place(variable) == VariablePlace::Stack || place(variable) == VariablePlace::Scratch)
      bytes_ += sizeOf(*variable);
}

void PrivateVariables::findCrossing(llvm::Function& item, const RegionGraph& graph) {
  std::vector<Accesses> accesses;
  for (llvm::AllocaInst* variable : variables_)
    accesses.push_back(findAccesses(*variable));
  const VariableLiveness liveness(item, accesses);
  for (unsigned i = 0; i < variables_.size(); ++i) {
    const bool crosses =
        accesses[i].escapes || std::ranges::any_of(graph.regions(), [&](const Region& region) {
          return region.entryBarrier && liveness.crosses(i, *region.entry);
        });
    if (crosses)
      places_[variables_[i]] = VariablePlace::Context;
  }
  for (const Region& region : graph.regions())
    if (const llvm::CallInst* call = region.entryBarrier;
        call && isCollective(*boundaryOf(*call)) && hasUniformResult(*call))
      places_[llvm::cast<llvm::AllocaInst>(call->getArgOperand(1)->stripPointerCasts())] =
          VariablePlace::Group;
}

void PrivateVariables::moveLargeOffStack() {
  std::vector<std::pair<uint64_t, size_t>> onStack; // size, position
  for (size_t i = 0; i < variables_.size(); ++i)
    if (place(variables_[i]) == VariablePlace::Stack)
      onStack.emplace_back(sizeOf(*variables_[i]), i);
  std::ranges::sort(onStack);
  uint64_t bytes = 0;
  for (auto [size, position] : onStack) {
    bytes += size;
    if (bytes > maxStackBytes)
      places_[variables_[position]] = VariablePlace::Scratch;
  }
}

} // namespace quern::compiler
