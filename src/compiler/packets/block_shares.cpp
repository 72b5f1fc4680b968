#include "compiler/packets/block_shares.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/names.h"
#include "compiler/il/packet_operation.h"
#include "compiler/packets/active_range.h"
#include "compiler/packets/branch_weights.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/packet_emitter.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Value;

bool isNextRegion(const Value* value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load && load->hasMetadata(names::nextRegionMetadata);
}

/// Whether `number` is `limit` for no more than one work-item of a row. LLVM makes `x | y == 0` of
/// `x + y == 0`.
bool isEqualOnce(const Value* number, const Value* limit, const Shapes& shapes) {
  using namespace llvm::PatternMatch;
  const Value *first = nullptr, *second = nullptr;
  if (match(limit, m_Zero()) && match(number, m_Or(m_Value(first), m_Value(second))))
    return isEqualOnce(first, limit, shapes) || isEqualOnce(second, limit, shapes);
  return shapes.of(number).isAffine() && shapes.of(limit).isUniform();
}

/// Whether only one work-item of a row finds that `condition` holds, or does not.
bool selectsOne(const Value* condition, bool holds, const Shapes& shapes) {
  using namespace llvm::PatternMatch;
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition)) {
    const Value *first = comparison->getOperand(0), *second = comparison->getOperand(1);
    return comparison->getPredicate() ==
               (holds ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE) &&
           (isEqualOnce(first, second, shapes) || isEqualOnce(second, first, shapes));
  }
  const Value *first = nullptr, *second = nullptr;
  const bool hasParts = holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
                              : match(condition, m_LogicalOr(m_Value(first), m_Value(second)));
  return hasParts && (selectsOne(first, holds, shapes) || selectsOne(second, holds, shapes));
}

using Blocks = llvm::SmallPtrSet<const BasicBlock*, 8>;

/// The blocks that are only reached by one of two ways of a branch for which `isWanted`.
Blocks blocksBehind(llvm::Function& region,
                    llvm::function_ref<bool(const BranchInst&, bool holds)> isWanted) {
  Blocks blocks;
  std::optional<llvm::DominatorTree> dominators;
  for (const BasicBlock& block : region) {
    const auto* branch = llvm::dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (const bool holds : {true, false})
      if (isWanted(*branch, holds)) {
        if (!dominators)
          dominators.emplace(region);
        const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(holds ? 0 : 1));
        for (const BasicBlock& inside : region)
          if (dominators->dominates(edge, &inside))
            blocks.insert(&inside);
      }
  }
  return blocks;
}

/// Whether a loop's phi counts from `isStart` on in uniform steps.
bool countsFrom(const llvm::PHINode& phi, const Shapes& shapes,
                llvm::function_ref<bool(const Value*)> isStart) {
  using namespace llvm::PatternMatch;
  bool steps = false;
  for (const Value* incoming : phi.incoming_values()) {
    const Value* step = nullptr;
    const bool isStep =
        match(incoming, m_c_Add(m_Specific(&phi), m_Value(step))) && shapes.of(step).isUniform();
    steps = steps || isStep;
    if (!isStep && !isStart(incoming))
      return false;
  }
  return steps;
}

/// Whether neighbours count their iterations, of which `number` is the count or a limit, from and
/// to ids, so that they make almost the same number.
bool countsIds(const Value* number, const Shapes& shapes, unsigned depth = 0) {
  constexpr unsigned most = 6;
  if (shapes.of(number).isUniform() || shapes.of(number).isAffine() || isNextRegion(number))
    return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(number);
  if (!instruction || depth == most)
    return false;
  const auto isOfIds = [&](const Value* value) { return countsIds(value, shapes, depth + 1); };
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
    return countsFrom(*phi, shapes, isOfIds);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction))
    return comparesIds(select->getCondition(), shapes) && isOfIds(select->getTrueValue()) &&
           isOfIds(select->getFalseValue());
  if (const auto* limits = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction))
    return isOfIds(limits->getLHS()) && isOfIds(limits->getRHS());
  return (llvm::isa<llvm::CastInst>(instruction) || instruction->isBinaryOp()) &&
         llvm::all_of(instruction->operands(), isOfIds);
}

/// Whether a condition that ends a loop does so for neighbours in almost the same iteration: by
/// limits that are made of ids.
bool endsByIds(const Value* condition, const Shapes& shapes) {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  return comparesIds(condition, shapes) ||
         (comparison && llvm::all_of(comparison->operands(), [&](const llvm::Use& operand) {
            return countsIds(operand, shapes);
          }));
}

/// The part of the work-items that run each block of a region, where those that come to a branch by
/// what was read or computed go both ways alike.
class ItemFlow {
public:
  explicit ItemFlow(const PacketPlan& plan)
      : plan_(plan), dominators_(plan.region), joins_(plan.region) {
    for (const BasicBlock* block :
         llvm::ReversePostOrderTraversal<const llvm::Function*>(&plan.region))
      parts_[block] = partOf(block);
  }

  double of(const BasicBlock* block) const {
    double part = parts_.lookup(block);
    for (const llvm::Loop* loop = plan_.loops.getLoopFor(block); loop; loop = loop->getParentLoop())
      part *= isLeftOneByOne(*loop, plan_.shapes) ? TargetModel::itemsOnOneSide : 1;
    return std::max(part, TargetModel::leastItemsOnOneSide);
  }

private:
  double partOf(const BasicBlock* block) const {
    const auto* node = dominators_.getNode(block)->getIDom();
    if (!node)
      return 1;
    const BasicBlock* before = node->getBlock();
    const double most = parts_.lookup(before);
    if (joins_.dominates(block, before))
      return most;
    double sum = 0;
    // Those that were not met yet come from further iterations.
    for (const BasicBlock* from : llvm::predecessors(block))
      sum += parts_.lookup(from) * partOfWay(from, block);
    return std::min(sum, most);
  }

  /// How many of the work-items in `from` go on to `to`, of those that do not leave a loop there.
  double partOfWay(const BasicBlock* from, const BasicBlock* to) const {
    const auto* branch = llvm::dyn_cast<BranchInst>(from->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
        comparesIds(branch->getCondition(), plan_.shapes) || isBiased(*branch))
      return 1;
    const llvm::Loop* loop = plan_.loops.getLoopFor(from);
    const BasicBlock* other = branch->getSuccessor(branch->getSuccessor(0) == to ? 1 : 0);
    return loop && loop->contains(to) != loop->contains(other) ? 1 : TargetModel::itemsOnOneSide;
  }

  const PacketPlan& plan_;
  const llvm::DominatorTree dominators_;
  const llvm::PostDominatorTree joins_;
  llvm::DenseMap<const BasicBlock*, double> parts_;
};

/// How the packets and the work-items of a stretch of masked blocks share it.
struct StretchTraits {
  /// Whether all its conditions compare ids, and whether one of these leads to the end otherwise.
  bool areCoherent = true, isGuarded = false;
  size_t size = 0; ///< in instructions
};

StretchTraits traitsOf(const MaskedBlocks::Stretch& stretch, const PacketPlan& plan) {
  StretchTraits traits;
  for (BasicBlock* inside : stretch.blocks) {
    traits.size += inside->size();
    for (BasicBlock* before : llvm::predecessors(inside)) {
      const auto* branch = llvm::dyn_cast<BranchInst>(before->getTerminator());
      if (!branch || !branch->isConditional())
        continue;
      traits.areCoherent = traits.areCoherent && comparesIds(branch->getCondition(), plan.shapes);
      traits.isGuarded = traits.isGuarded || (!plan.masked.contains(before) &&
                                              endsIdly(plan.region, branch->getSuccessor(0)) !=
                                                  endsIdly(plan.region, branch->getSuccessor(1)));
    }
  }
  return traits;
}

bool callsForEachItem(const BasicBlock& block) {
  return llvm::any_of(block, [](const Instruction& each) {
    return llvm::isa<llvm::CallInst>(each) && runsForEachItem(each) && !isCombinable(each);
  });
}

} // namespace

bool comparesIds(const Value* condition, const Shapes& shapes) {
  if (shapes.of(condition).isUniform())
    return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(condition);
  if (!instruction)
    return false;
  if (llvm::isa<llvm::ICmpInst>(instruction))
    return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
      return shapes.of(operand).isUniform() || shapes.of(operand).isAffine() ||
             isNextRegion(operand);
    });
  return (instruction->isBitwiseLogicOp() || llvm::isa<llvm::SelectInst>(instruction)) &&
         llvm::all_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return comparesIds(operand, shapes); });
}

bool isLeftOneByOne(const llvm::Loop& loop, const Shapes& shapes) {
  llvm::SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const BasicBlock* block) {
    const auto* branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && !endsByIds(branch->getCondition(), shapes);
  });
}

BlockShares::BlockShares(const PacketPlan& plan) {
  const Blocks unlikely = blocksBehind(plan.region, isUnlikely);
  const Blocks ofOne = blocksBehind(plan.region, [&](const BranchInst& branch, bool holds) {
    return selectsOne(branch.getCondition(), holds, plan.shapes);
  });
  std::optional<ItemFlow> flow;
  llvm::DenseMap<const MaskedBlocks::Stretch*, StretchTraits> traits;
  const auto shareOfMasked = [&](const BasicBlock& block) -> Share {
    const MaskedBlocks::Stretch& stretch = plan.masked.stretchOf(&block);
    const auto [known, isNew] = traits.try_emplace(&stretch);
    if (isNew)
      known->second = traitsOf(stretch, plan);
    const StretchTraits& of = known->second;
    if (of.areCoherent && of.isGuarded)
      return {};
    if (of.areCoherent)
      return {TargetModel::itemsOnOneSide, TargetModel::itemsOnOneSide};
    if (!flow)
      flow.emplace(plan);
    return {flow->of(&block),
            of.size >= TargetModel::muchSkipped ? TargetModel::packetsOnOneSide : 1.0, true};
  };
  for (BasicBlock& block : plan.region) {
    const bool isMasked = plan.masked.contains(&block);
    Share& share = shares_[&block];
    if (unlikely.contains(&block))
      share = {TargetModel::rare, TargetModel::rare, isMasked};
    else if (ofOne.contains(&block))
      share = {1.0 / plan.width, 1, isMasked, true};
    else if (isMasked)
      share = callsForEachItem(block) ? Share{TargetModel::rare, TargetModel::rare, true}
                                      : shareOfMasked(block);
  }
}

} // namespace quern::compiler
