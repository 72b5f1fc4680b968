#include "compiler/packets/guards.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/il/names.h"
#include "compiler/il/packet_condition.h"
#include "compiler/il/region_function.h"
#include "compiler/il/uniformity.h"
#include "compiler/packets/active_range.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;

bool hasEffects(const BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return instruction.mayHaveSideEffects() && !isPacketGuard(instruction);
  });
}

/// Whether `block` does no more than to tell the group something (regions/group_results.h), which
/// hardly ever all work-items of a packet do.
bool tellsGroup(llvm::Function& region, const BasicBlock& block) {
  return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && !store->hasMetadata(names::uniformMetadata) &&
           leadsInto(region, store->getPointerOperand(), RegionParameter::UniformsOut);
  });
}

class GuardRemoval {
public:
  GuardRemoval(llvm::Function& region, unsigned width, Uniformities& uniformities)
      : region_(region), inPacket_(uniformities.of(UniformityRoot::packet(width))),
        inColumn_(uniformities.of(UniformityRoot::column())) {}

  /// Goes where all work-items of a packet go.
  void run() {
    llvm::SmallVector<BasicBlock*> work = {&region_.getEntryBlock()};
    while (!work.empty()) {
      BasicBlock* block = work.pop_back_val();
      if (!runsOnce(*block) || hasEffects(*block) || !seen_.insert(block).second)
        continue;
      if (BasicBlock* next = removeGuard(*block))
        work.push_back(next);
      else if (!inPacket_.hasDivergentTerminator(*block))
        llvm::append_range(work, llvm::successors(block));
    }
    llvm::removeUnreachableBlocks(region_);
  }

private:
  /// A block that something else leads to may lie in a loop.
  bool runsOnce(const BasicBlock& block) const {
    return llvm::all_of(llvm::predecessors(&block),
                        [&](const BasicBlock* before) { return seen_.contains(before); });
  }

  /// Where the block goes if it ended with a guard; else null.
  BasicBlock* removeGuard(BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        (!inPacket_.hasDivergentTerminator(block) && !inColumn_.hasDivergentTerminator(block)))
      return nullptr;
    const bool endsOnTrue = endsIdly(region_, branch->getSuccessor(0));
    if (endsOnTrue == endsIdly(region_, branch->getSuccessor(1)))
      return nullptr;
    if (tellsGroup(region_, *branch->getSuccessor(endsOnTrue ? 1 : 0)))
      return nullptr;
    llvm::IRBuilder<> builder(branch);
    llvm::Value* condition = branch->getCondition();
    return guardBranch(builder, *branch, !endsOnTrue,
                       endsOnTrue ? builder.CreateNot(condition) : condition);
  }

  llvm::Function& region_;
  const Uniformity &inPacket_, &inColumn_;
  llvm::SmallPtrSet<const BasicBlock*, 8> seen_;
};

} // namespace

void takeOutGuards(llvm::Function& region, unsigned width,
                   llvm::FunctionAnalysisManager& analyses) {
  GuardRemoval(region, width, analyses.getResult<UniformityAnalysis>(region)).run();
  analyses.invalidate(region, llvm::PreservedAnalyses::none());
}

} // namespace quern::compiler
