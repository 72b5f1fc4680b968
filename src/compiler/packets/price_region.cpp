#include "compiler/packets/price_region.h"

#include <algorithm>
#include <cmath>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/il/names.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/region_function.h"
#include "compiler/il/streaming.h"
#include "compiler/packets/accesses/anywhere.h"
#include "compiler/packets/active_range.h"
#include "compiler/packets/block_shares.h"
#include "compiler/packets/branch_weights.h"
#include "compiler/packets/each_item.h"
#include "compiler/packets/interleave_groups.h"
#include "compiler/packets/moved_vectors.h"
#include "compiler/packets/prefetch.h"
#include "compiler/packets/preparation.h"
#include "compiler/packets/recurrence.h"
#include "compiler/packets/region_traits.h"
#include "compiler/packets/register_pressure.h"

namespace quern::compiler {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Of a branch by what was read or computed.
constexpr double misprediction = TargetModel::misprediction * TargetModel::mispredicted;

/// Whether the kernel has other regions.
bool meetsAtBarriers(const llvm::Function& region) {
  return numberAttribute(region, names::regionAttribute) != 0 ||
         regionExits(region) != std::vector<unsigned>{0};
}

/// Whether there is arithmetic of floating-point numbers, as in mathematical functions.
bool calculates(const llvm::Function& region) {
  return llvm::any_of(llvm::instructions(region), [](const Instruction& instruction) {
    return instruction.getType()->isFPOrFPVectorTy() &&
           (instruction.isBinaryOp() || instruction.isUnaryOp() ||
            llvm::isa<llvm::IntrinsicInst>(instruction));
  });
}

bool makesVector(const Instruction& instruction) {
  return instruction.getType()->isVectorTy() ||
         (llvm::isa<llvm::StoreInst>(instruction) &&
          instruction.getOperand(0)->getType()->isVectorTy());
}

bool makesVectors(const llvm::Function& region) {
  return llvm::any_of(llvm::instructions(region), makesVector);
}

bool isPowerOfTwo(const Value* divisor) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
  return constant && constant->getValue().abs().isPowerOf2();
}

/// Of a load or a store that is no part of a packet.
double accessCost(const Instruction& instruction, unsigned items, const TargetModel& target) {
  const double access = target.access(instruction, items, false);
  return llvm::getLoadStoreType(&instruction)->isVectorTy() ? access
                                                            : access * TargetModel::scalarAlone;
}

class Pricer {
public:
  Pricer(const PacketPlan& plan, const AccessPlan& accesses, const PricedRegion& priced,
         const TargetModel& target)
      : plan_(plan), accesses_(accesses), priced_(priced), target_(target),
        loopItems_(
            std::max(2u, target.loopVectorBits() / widestVaryingBits(plan.region, plan.shapes))),
        shares_(plan) {}

  RegionPrices run() {
    RegionPrices prices;
    double code = 0, ofOne = 0;
    for (const llvm::BasicBlock& block : plan_.region) {
      const Share share = shares_.of(&block);
      const double times = timesOf(block);
      for (const Instruction& instruction : block) {
        prices.serial += times * share.items * serialCost(instruction, 1);
        const double inPackets =
            times * share.packets * packetCost(instruction, share) / plan_.width;
        prices.packets += inPackets;
        ofOne += share.isOfOne ? inPackets : 0;
        if (prices.loops < RegionPrices::infinite)
          prices.loops += times * loopCost(instruction, plan_.masked.contains(&block)) / loopItems_;
      }
      prices.packets += times * testCost(block) / plan_.width;
      prices.serial += share.items * mispredictionCost(block);
      code += codeOf(block);
    }
    prices.packets += spillCost();
    const double instructions = plan_.region.getInstructionCount();
    prices.waiting = std::max(1.0, TargetModel::latency * TargetModel::window /
                                       std::max(TargetModel::window, instructions));
    prices.code = std::max(0.0, priced_.forms * code - priced_.instructions);
    prices.isCodeWaitedFor = priced_.isCodeWaitedFor;
    // Vectors that stay whole have no more chains in packets than in work-items one by one, of
    // which several overlap where they are not loops.
    const bool isWhole = makesVectors(plan_.region);
    // Nor does a packet whose other work-items have little to do.
    prices.hidesLatency = 2 * ofOne <= prices.packets &&
                          (!plan_.loops.empty() ||
                           (!isWhole && (meetsAtBarriers(plan_.region) ||
                                         (priced_.calledFunctions && calculates(plan_.region)))));
    prices.isScattered = isScattered();
    prices.uncertainty = TargetModel::uncertainty *
                         (isAnyLoopLeftOneByOne() ? TargetModel::uncertaintyOfIterations : 1) *
                         (prices.isScattered ? TargetModel::uncertaintyOfPlaces : 1);
    const bool hasVectors = makesVectors(priced_.unprepared);
    prices.transposes = hasVectors && !isWhole;
    const CostBesideVectors cost = hasVectors ? costOfVectors(priced_.unprepared)
                                              : CostBesideVectors{prices.serial, prices.serial};
    prices.serial = cost.alone * priced_.loops.part;
    prices.serialAtBest = cost.joined * priced_.loops.part;
    prices.waiting = std::min(prices.waiting, std::max(1.0, priced_.loops.waits));
    if (priced_.loops.part == 1 && prices.serial > 0) {
      const double waiting = std::max(1.0, timeOfWaiting() / prices.serial);
      prices.waiting =
          hasVectors ? std::min(prices.waiting, waiting) : std::max(prices.waiting, waiting);
    }
    if (!canLoop())
      prices.loops = RegionPrices::infinite;
    else if (!accessesVary())
      prices.loops = 0; // the code is for one work-item
    const double memory = memoryCost(false);
    prices.serial = std::max(prices.serial, memory);
    prices.serialAtBest = std::max(prices.serialAtBest, memory);
    prices.loops = std::max(prices.loops, memory);
    prices.memory = memoryCost(true);
    prices.packets = std::max(prices.packets, prices.memory);
    return prices;
  }

private:
  double timesOf(const llvm::BasicBlock& block) const {
    return TargetModel::timesInLoops(plan_.loops.getLoopDepth(&block));
  }

  /// Of a work-item that runs after another one, by its chains of dependences.
  double timeOfWaiting() const {
    llvm::MapVector<const llvm::Loop*, llvm::SmallVector<const llvm::BasicBlock*>> blocks;
    for (const llvm::BasicBlock* block :
         llvm::ReversePostOrderTraversal<const llvm::Function*>(&plan_.region))
      if (shares_.of(block).items > TargetModel::rare)
        blocks[plan_.loops.getLoopFor(block)].push_back(block);
    double sum = 0;
    for (const auto& [loop, inside] : blocks)
      sum += timesOf(*inside.front()) * timeOfDependences(inside, loop);
    return sum;
  }

  /// Of what is live in the innermost loops beyond the registers.
  double spillCost() const {
    const TileSharing onePacket({}, priced_.inRow, priced_.inRow);
    double sum = 0;
    for (const llvm::Loop* loop : plan_.loops.getLoopsInPreorder()) {
      if (!loop->isInnermost())
        continue;
      const unsigned live = registerPressure(*loop, plan_.shapes, target_, plan_.width, onePacket);
      const unsigned beyond = live - std::min(live, target_.vectorRegisters());
      const llvm::BasicBlock& header = *loop->getHeader();
      sum += timesOf(header) * shares_.of(&header).packets * beyond;
    }
    return TargetModel::spill * sum / plan_.width;
  }

  /// Of a branch that packets test before they skip something.
  double testCost(const llvm::BasicBlock& block) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && !plan_.shapes.of(branch->getCondition()).isUniform()
               ? TargetModel::anyBranch
               : 0;
  }

  /// Of the branch that ends a block, in all its iterations. One that leaves a loop does so once.
  double mispredictionCost(const llvm::BasicBlock& block) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const llvm::Loop* loop = plan_.loops.getLoopFor(&block);
    return branch && branch->isConditional() && !(loop && loop->isLoopExiting(&block)) &&
                   plan_.shapes.of(branch->getCondition()).isVarying() &&
                   !comparesIds(branch->getCondition(), plan_.shapes) && !isBiased(*branch)
               ? misprediction * timesOf(block)
               : 0;
  }

  /// Instructions that a block becomes for a packet.
  unsigned codeOf(const llvm::BasicBlock& block) const {
    const bool isMasked = plan_.masked.contains(&block);
    unsigned count = testCost(block) > 0 ? TargetModel::codeOfTest : 0;
    for (const Instruction& instruction : block) {
      ++count;
      if (runsForEachItem(instruction))
        count += TargetModel::codeForEachItem;
      else if (const AccessLowering* access = accesses_.of(&instruction))
        count += hasInstruction(*access, instruction, isMasked) ? (isMasked ? 1 : 0)
                 : !access->isScattered() && llvm::isa<llvm::LoadInst>(instruction)
                     ? TargetModel::codeForEachItem
                     : TargetModel::codeOfElement * plan_.width;
      else if (isMasked && llvm::isa<llvm::PHINode>(instruction))
        ++count;
    }
    return count;
  }

  /// Whether the processor makes an access at once; otherwise it is one for each element.
  bool hasInstruction(const AccessLowering& lowering, const Instruction& access,
                      bool isMasked) const {
    if (lowering.isScattered()) {
      llvm::Type* type = gatheredType(llvm::getLoadStoreType(&access));
      return type && target_.hasScatteredAccess(access, *type, plan_.width);
    }
    return !isMasked || plan_.shapes.of(llvm::getLoadStorePointerOperand(&access)).isUniform() ||
           target_.hasMaskedAccess(access, plan_.width);
  }

  double serialCost(const Instruction& instruction, unsigned items) const {
    if (TargetModel::isFree(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction))
      return instruction.isTerminator() ? TargetModel::scalarAlone : 0;
    if (llvm::getLoadStorePointerOperand(&instruction))
      return accessCost(instruction, items, target_);
    if (instruction.isIntDivRem() && !instruction.getType()->isVectorTy())
      return llvm::isa<llvm::Constant>(instruction.getOperand(1))
                 ? TargetModel::scalarConstantDivision
                 : TargetModel::scalarDivision;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && !llvm::isa<llvm::IntrinsicInst>(call))
      return TargetModel::call;
    return target_.operation(instruction, items);
  }

  double packetCost(const Instruction& instruction, const Share& share) const {
    if (TargetModel::isFree(instruction))
      return instruction.isTerminator() ? TargetModel::scalar : 0;
    if (accesses_.of(&instruction))
      return accesses_.cost(instruction, target_, share.isMasked);
    if (isPrefetch(instruction)) {
      const Shape addresses = plan_.shapes.of(instruction.getOperand(0));
      return static_cast<double>(prefetchingItems(addresses, plan_.width).size()) *
             (1 + (addresses.isVarying() ? TargetModel::handOver : 0));
    }
    const bool isVarying = plan_.shapes.of(&instruction).isVarying();
    if (isCombinable(instruction) && plan_.shapes.of(instruction.getOperand(0)).isUniform())
      return serialCost(instruction, 1) + plan_.width * TargetModel::scalar;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        runsForEachItem(instruction) ||
        (call && !llvm::isa<llvm::IntrinsicInst>(call) && !isPacketOperation(*call)))
      return plan_.width * (serialCost(instruction, 1) + TargetModel::handOver);
    if (llvm::isa<llvm::GetElementPtrInst>(instruction))
      return isVarying ? 1 : 0;
    // Of such a condition a packet tests the first and the last id.
    if (instruction.getType()->isIntegerTy(1) && comparesIds(&instruction, plan_.shapes))
      return 2 * TargetModel::scalar;
    if (!isVarying)
      return instruction.isIntDivRem() ? serialCost(instruction, 1) : TargetModel::scalar;
    return instruction.isIntDivRem() ? divisionCost(instruction)
                                     : target_.operation(instruction, plan_.width);
  }

  double divisionCost(const Instruction& division) const {
    const Value* divisor = division.getOperand(1);
    if (isPowerOfTwo(divisor))
      return 2;
    if (!dividesAsFloat(division))
      return plan_.width * TargetModel::scalarDivision;
    if (llvm::isa<llvm::ConstantInt>(divisor))
      return TargetModel::constantDivision;
    return TargetModel::vectorDivision +
           (plan_.shapes.of(divisor).isUniform() ? 0 : TargetModel::floatDivision);
  }

  /// Whether packets divide in vectors (packet_divisions.cpp).
  bool dividesAsFloat(const Instruction& division) const {
    constexpr unsigned narrowBits = 32;
    return division.getType()->getIntegerBitWidth() <= narrowBits ||
           plan_.shapes.greatest(division.getOperand(0)) < UINT32_MAX;
  }

  /// What a vector of LLVM's loops costs, which run all that branches skip, and know nothing of
  /// where packets begin.
  double loopCost(const Instruction& instruction, bool isMasked) const {
    if (TargetModel::isFree(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction))
      return 0;
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
      return loopAccessCost(instruction, pointer, isMasked);
    if (priced_.inRow.isUniform(instruction) || plan_.shapes.of(&instruction).isAffine())
      return TargetModel::scalar;
    if (instruction.isIntDivRem())
      return isPowerOfTwo(instruction.getOperand(1)) ? 2
             : llvm::isa<llvm::Constant>(instruction.getOperand(1))
                 ? TargetModel::constantDivision
                 : loopItems_ * TargetModel::scalarDivision;
    return target_.operation(instruction, loopItems_);
  }

  double loopAccessCost(const Instruction& access, const Value* pointer, bool isMasked) const {
    if (priced_.inRow.isUniform(*pointer))
      return target_.access(access, 1, false);
    if (mayWrapInLoops(*pointer))
      return target_.scatteredAccess(access, *llvm::getLoadStoreType(&access), loopItems_);
    const Shape shape = plan_.shapes.of(pointer);
    const auto bytes = static_cast<int64_t>(
        plan_.region.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)));
    if (shape.isAffine() && std::abs(shape.stride) == bytes)
      return !isMasked || target_.hasMaskedAccess(access, loopItems_)
                 ? target_.access(access, loopItems_, isMasked)
                 : loopItems_ * (target_.access(access, 1, false) +
                                 (shares_.of(access.getParent()).isMasked ? misprediction : 0));
    const InterleaveGroup* group = plan_.groups.groupOf(&access);
    if (group && group->stride)
      return accesses_.cost(access, target_, isMasked) * loopItems_ / plan_.width;
    return target_.scatteredAccess(access, *llvm::getLoadStoreType(&access), loopItems_);
  }

  /// Whether a narrow number is part of an address that differs from one work-item to the next.
  /// Only packets know that ids are small enough for it (packets/shapes.h); to LLVM such a number
  /// may begin anew between any two work-items.
  bool mayWrapInLoops(const Value& value, unsigned depth = 0) const {
    constexpr unsigned maxDepth = 8;
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || priced_.inRow.isUniform(value))
      return false;
    if (depth == maxDepth || llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) ||
        instruction->getOpcode() == Instruction::AShr) // of a number whose upper half is gone
      return true;
    return (instruction->isBinaryOp() || llvm::isa<llvm::GetElementPtrInst>(instruction)) &&
           llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
             return mayWrapInLoops(*operand, depth + 1);
           });
  }

  /// Whether LLVM vectorises the loop over work-items: not around loops, calls and vectors. Groups
  /// that meet at barriers are small, and its loops need many work-items to begin with; what was a
  /// function of its own it inlines too late for us to know.
  bool canLoop() const {
    return plan_.loops.empty() && !meetsAtBarriers(plan_.region) && !needsManyChecks() &&
           !makesVectors(priced_.unprepared) &&
           !(priced_.calledFunctions && calculates(plan_.region)) &&
           llvm::none_of(llvm::instructions(plan_.region), [](const Instruction& each) {
             return runsForEachItem(each) || isPrefetch(each);
           });
  }

  /// Whether LLVM would have to check of more addresses than it does that they do not wrap (its
  /// option vectorize-scev-check-threshold), for null is an address like others in the address
  /// spaces of OpenCL.
  bool needsManyChecks() const {
    constexpr size_t most = 16;
    llvm::SmallPtrSet<const Value*, 32> pointers;
    for (const Instruction& instruction : llvm::instructions(plan_.region)) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer && !plan_.shapes.of(pointer).isUniform())
        pointers.insert(pointer);
    }
    return pointers.size() > most;
  }

  /// Whether most accesses in the loops cost as much as one for each work-item, with little to do
  /// beside.
  bool isScattered() const {
    unsigned wide = 0, scattered = 0;
    double size = 0;
    for (const llvm::BasicBlock& block : plan_.region) {
      if (!plan_.loops.empty() && !plan_.loops.getLoopFor(&block))
        continue;
      for (const Instruction& instruction : block) {
        size += instruction.isIntDivRem() && packetCost(instruction, {}) > 1
                    ? TargetModel::operationsPerScattered
                    : 1;
        if (const AccessLowering* access = accesses_.of(&instruction))
          ++(access->isScattered() ? scattered : wide);
      }
    }
    return scattered > wide && scattered * TargetModel::operationsPerScattered > size;
  }

  bool isAnyLoopLeftOneByOne() const {
    return llvm::any_of(plan_.loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
      return isLeftOneByOne(*loop, plan_.shapes);
    });
  }

  bool accessesVary() const {
    return llvm::any_of(llvm::instructions(plan_.region), [&](const Instruction& instruction) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      return pointer && !plan_.shapes.of(pointer).isUniform();
    });
  }

  /// What a program with vectors costs where each number beside them is one by itself, and where
  /// LLVM makes vectors of these, too (SLPVectorizerPass).
  struct CostBesideVectors {
    double alone = 0, joined = 0;
  };

  /// Of the region with the program's own vectors, or a function that it calls, all of it as often
  /// as its loops say.
  CostBesideVectors costOfVectors(const llvm::Function& function) {
    const auto [known, isNew] = costs_.try_emplace(&function);
    if (!isNew)
      return known->second;
    const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));
    const llvm::LoopInfo loops(dominators);
    CostBesideVectors sum;
    for (const llvm::BasicBlock& block : function) {
      const double times =
          TargetModel::timesInLoops(loops.getLoopDepth(&block)) *
          (isOnEachWay(block, dominators, loops.getLoopFor(&block)) ? 1
                                                                    : TargetModel::itemsOnOneSide);
      for (const Instruction& instruction : block) {
        const CostBesideVectors cost = costBesideVectors(instruction);
        sum.alone += times * cost.alone;
        sum.joined += times * cost.joined;
      }
    }
    return costs_[&function] = sum;
  }

  /// Whether each iteration of `loop`, or each way to the end where that is null, leads through
  /// `block`.
  static bool isOnEachWay(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                          const llvm::Loop* loop) {
    const auto isPassed = [&](const llvm::BasicBlock* end) {
      return dominators.dominates(&block, end);
    };
    if (!loop)
      return llvm::all_of(*block.getParent(), [&](const llvm::BasicBlock& end) {
        return !llvm::isa<llvm::ReturnInst>(end.getTerminator()) || isPassed(&end);
      });
    llvm::SmallVector<llvm::BasicBlock*, 4> latches;
    loop->getLoopLatches(latches);
    return llvm::all_of(latches, isPassed);
  }

  CostBesideVectors costBesideVectors(const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && isInlinable(*call))
      return costOfVectors(*call->getCalledFunction());
    if (makesVector(instruction)) {
      const double cost = serialCost(instruction, 0);
      return {cost, cost};
    }
    const double alone = serialCost(instruction, 1);
    return {alone, std::min(alone, TargetModel::scalar)};
  }

  /// What memory takes for what each work-item reads and writes once, of regions without loops. A
  /// store with a mask, and one to what no cache holds, makes the processor read what it
  /// overwrites: only packets of whole vectors store past the caches.
  double memoryCost(bool inPackets) const {
    if (!plan_.loops.empty())
      return 0;
    double bytes = 0;
    bool isStreamedTo = false, isWide = true;
    llvm::SmallPtrSet<const Value*, 8> seen[2];
    for (const Instruction& instruction : llvm::instructions(plan_.region)) {
      const AccessLowering* access = accesses_.of(&instruction);
      isStreamedTo = isStreamedTo || isStreamed(instruction);
      isWide = isWide && !(access && access->isScattered());
    }
    for (const Instruction& instruction : llvm::instructions(plan_.region)) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || plan_.shapes.of(pointer).isUniform())
        continue;
      const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
      if (!plan_.groups.groupOf(&instruction) &&
          !seen[isStore].insert(llvm::getUnderlyingObject(pointer)).second)
        continue;
      const llvm::BasicBlock* block = instruction.getParent();
      const bool isMasked = inPackets ? shares_.of(block).isMasked : plan_.masked.contains(block);
      const bool readsToo =
          isStore && (isMasked || (isStreamed(instruction) && !(inPackets && isWide)));
      bytes +=
          (readsToo ? 2 : 1) * static_cast<double>(plan_.region.getDataLayout().getTypeStoreSize(
                                   llvm::getLoadStoreType(&instruction)));
    }
    return bytes / (isStreamedTo ? TargetModel::bytesFromMemory : TargetModel::bytesFromCache);
  }

  const PacketPlan& plan_;
  const AccessPlan& accesses_;
  const PricedRegion& priced_;
  const TargetModel& target_;
  const unsigned loopItems_; ///< work-items of a vector of LLVM's loops
  const BlockShares shares_;
  llvm::DenseMap<const llvm::Function*, CostBesideVectors> costs_; ///< of functions with vectors
};

} // namespace

RegionPrices priceRegion(const PacketPlan& plan, const AccessPlan& accesses,
                         const PricedRegion& region, const TargetModel& target) {
  return Pricer(plan, accesses, region, target).run();
}

double priceAccesses(llvm::Function& function, const TargetModel& target) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  double sum = 0;
  for (const llvm::BasicBlock& block : function)
    for (const Instruction& instruction : block)
      if (llvm::getLoadStorePointerOperand(&instruction))
        sum += TargetModel::timesInLoops(loops.getLoopDepth(&block)) *
               accessCost(instruction, 1, target);
  return sum;
}

} // namespace quern::compiler
