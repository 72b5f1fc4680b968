#include "compiler/packets/split_accumulators.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/il/kernel_function.h"
#include "compiler/il/uniformity.h"
#include "compiler/loops/loop_transforms.h"
#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"
#include "compiler/packets/tile_choice.h"

namespace quern::compiler {
namespace {

/// Sums of a loop from which on it is left alone, for the time of a compile.
constexpr size_t mostAccumulators = 256;
/// The tiles of packets that a loop is split for.
constexpr PacketTile tiles[] = {{1, 1}, {2, 1}, {1, 2}};
/// Registers for a product and for what is read next.
constexpr unsigned otherRegisters = 2;
/// Of the counter and the branch of a loop.
constexpr double costOfLoop = 2;

using Instructions = llvm::SmallPtrSet<const llvm::Instruction*, 32>;

/// What a loop, or a part of it, does in an iteration for all packets of a tile.
struct Work {
  double cost = 0;
  unsigned vectors = 0, numbers = 0; ///< that it reads
};

struct Accumulator {
  llvm::PHINode* phi;
  Instructions needs;                      ///< what its results are made of, with itself
  std::vector<llvm::Instruction*> results; ///< what is used behind the loop
};

/// One loop of one block.
class Split {
public:
  Split(llvm::Loop& loop, unsigned items, const TargetModel& target,
        llvm::FunctionAnalysisManager& analyses)
      : loop_(loop), block_(*loop.getHeader()), preheader_(loop.getLoopPreheader()),
        region_(*block_.getParent()), items_(items), target_(target),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(region_)) {
    auto& uniformities = analyses.getResult<UniformityAnalysis>(region_);
    inRow_ = &uniformities.of(UniformityRoot::row());
    inColumn_ = &uniformities.of(UniformityRoot::column());
  }

  bool run() {
    if (!isCandidate() || !findAccumulators() || !findResults())
      return false;
    addCosts();
    order();
    const std::vector<size_t> ends = chooseEnds();
    if (ends.size() < 2)
      return false;
    split(ends);
    return true;
  }

private:
  bool isCandidate() const {
    return loop_.getNumBlocks() == 1 && loop_.isLoopSimplifyForm() && loop_.getExitBlock() &&
           !inRow_->hasDivergentTerminator(block_) &&
           llvm::none_of(block_, [](const llvm::Instruction& instruction) {
             const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
             return instruction.mayHaveSideEffects() || (load && !load->isSimple());
           });
  }

  /// Phis that nothing else in the loop needs.
  bool findAccumulators() {
    Instructions ofCondition;
    addNeeds(*block_.getTerminator(), ofCondition);
    for (llvm::PHINode& phi : block_.phis())
      if (!ofCondition.contains(&phi) && !inRow_->isUniform(phi)) {
        accumulators_.push_back({&phi, {}, {}});
        addNeeds(phi, accumulators_.back().needs);
      }
    if (fits(accumulators_.size(), {}) || accumulators_.size() > mostAccumulators)
      return false;
    Instructions needed;
    for (const Accumulator& each : accumulators_)
      for (const Accumulator& other : accumulators_)
        if (each.phi != other.phi && each.needs.contains(other.phi))
          needed.insert(other.phi);
    std::erase_if(accumulators_,
                  [&](const Accumulator& each) { return needed.contains(each.phi); });
    return !fits(accumulators_.size(), {});
  }

  /// False where a value behind the loop is made of several sums.
  bool findResults() {
    for (llvm::Instruction& instruction : block_) {
      if (llvm::all_of(instruction.users(), [&](const llvm::User* user) {
            return llvm::cast<llvm::Instruction>(user)->getParent() == &block_;
          }))
        continue;
      Instructions needs;
      addNeeds(instruction, needs);
      Accumulator* owner = nullptr;
      for (Accumulator& each : accumulators_)
        if (needs.contains(each.phi)) {
          if (owner)
            return false;
          owner = &each;
        }
      if (owner) {
        owner->results.push_back(&instruction);
        owner->needs.insert_range(needs);
      }
    }
    return true;
  }

  /// Adds what of the loop `instruction` is made of, with itself.
  void addNeeds(const llvm::Instruction& instruction, Instructions& needs) const {
    llvm::SmallVector<const llvm::Instruction*> open{&instruction};
    while (!open.empty()) {
      const llvm::Instruction* each = open.pop_back_val();
      if (!needs.insert(each).second)
        continue;
      for (const llvm::Use& operand : each->operands())
        if (const auto* part = llvm::dyn_cast<llvm::Instruction>(operand);
            part && part->getParent() == each->getParent())
          open.push_back(part);
    }
  }

  void addCosts() {
    for (const llvm::Instruction& instruction : block_) {
      if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst>(instruction) ||
          instruction.isTerminator())
        continue;
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (inRow_->isUniform(load ? *load->getPointerOperand() : instruction))
        costs_[&instruction] =
            TargetModel::scalar + (isSplat(instruction) ? TargetModel::splat : 0);
      else
        costs_[&instruction] = load ? costOf(*load) : target_.operation(instruction, items_);
    }
  }

  /// Whether numbers that differ within a packet are made of one that does not.
  bool isSplat(const llvm::Instruction& instruction) const {
    return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
      const auto* other = llvm::cast<llvm::Instruction>(user);
      return other->getParent() == &block_ && !llvm::isa<llvm::GetElementPtrInst>(other) &&
             !inRow_->isUniform(*other);
    });
  }

  double costOf(const llvm::LoadInst& load) const {
    const uint64_t bytes = region_.getDataLayout().getTypeStoreSize(load.getType());
    const llvm::SCEV* place =
        evolution_.getSCEV(const_cast<llvm::Value*>(load.getPointerOperand()));
    const std::optional<llvm::APInt> stride = strideInRow(*place, region_, evolution_);
    return stride && stride->abs() == bytes
               ? target_.access(load, items_, false)
               : target_.scatteredAccess(load, *load.getType(), items_);
  }

  /// What `needs` takes, but for what is in `already`.
  Work workOf(const Instructions& needs, const TileSharing& sharing,
              const Instructions& already) const {
    Work work;
    for (const llvm::Instruction* each : needs) {
      const auto found = costs_.find(each);
      if (found == costs_.end() || already.contains(each))
        continue;
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(each);
      const llvm::Value* value = load ? load->getPointerOperand() : each;
      const unsigned owners = sharing.ownerCount(sharing.varyingDimensions(value));
      if (load)
        (inRow_->isUniform(*value) ? work.numbers : work.vectors) += owners;
      work.cost += owners * found->second;
    }
    return work;
  }

  /// Those side by side that share what is dear to read.
  void order() {
    std::vector<Accumulator> ordered;
    Instructions already;
    const TileSharing onePacket({}, *inRow_, *inColumn_);
    while (!accumulators_.empty()) {
      const auto next = std::ranges::min_element(accumulators_, {}, [&](const Accumulator& each) {
        return workOf(each.needs, onePacket, already).cost;
      });
      already = next->needs;
      ordered.push_back(std::move(*next));
      accumulators_.erase(next);
    }
    accumulators_ = std::move(ordered);
  }

  /// Registers for so many sums, with what is read for several of them.
  static size_t registersOf(size_t sums, const Work& work) {
    return sums + std::min(work.vectors, work.numbers) + otherRegisters;
  }

  bool fits(size_t sums, const Work& work) const {
    return registersOf(sums, work) <= target_.vectorRegisters();
  }

  /// Up to which accumulator each loop goes, for the tile with which that is cheapest; none where
  /// one loop is cheaper, although not all of its sums stay in registers.
  std::vector<size_t> chooseEnds() const {
    std::vector<size_t> best;
    double least = costOfOneLoop();
    const PacketTile room = roomForTile(region_, items_);
    for (const PacketTile& tile : tiles) {
      if (tile.columns > room.columns || tile.rows > room.rows)
        continue;
      const auto [cost, ends] = endsFor(tile);
      if (cost * TargetModel::leastGain < least) {
        least = cost;
        best = ends;
      }
    }
    return best;
  }

  double costOfOneLoop() const {
    Instructions needs;
    for (const Accumulator& each : accumulators_)
      needs.insert_range(each.needs);
    const Work work = workOf(needs, TileSharing({}, *inRow_, *inColumn_), {});
    const size_t registers = registersOf(accumulators_.size(), work);
    return work.cost + costOfLoop +
           TargetModel::spill * static_cast<double>(registers - target_.vectorRegisters());
  }

  /// The cheapest loops for a tile, for each of its packets, by the cheapest ones for the first 1,
  /// 2, ... accumulators. An iteration takes as long as a sum waits for the last one.
  std::pair<double, std::vector<size_t>> endsFor(PacketTile tile) const {
    const size_t count = accumulators_.size();
    const TileSharing sharing(tile, *inRow_, *inColumn_);
    std::vector<double> costs(count + 1, std::numeric_limits<double>::infinity());
    std::vector<size_t> begins(count + 1, 0);
    costs[0] = 0;
    for (size_t begin = 0; begin < count; ++begin) {
      Instructions needs;
      for (size_t end = begin + 1; end <= count; ++end) {
        needs.insert_range(accumulators_[end - 1].needs);
        const Work work = workOf(needs, sharing, {});
        if (!fits((end - begin) * tile.packets(), work))
          break;
        const double cost = costs[begin] + std::max(work.cost + costOfLoop, TargetModel::latency);
        if (cost < costs[end]) {
          costs[end] = cost;
          begins[end] = begin;
        }
      }
    }
    if (costs[count] == std::numeric_limits<double>::infinity())
      return {costs[count], {}};
    std::vector<size_t> ends;
    for (size_t end = count; end != 0; end = begins[end])
      ends.insert(ends.begin(), end);
    return {costs[count] / tile.packets(), ends};
  }

  /// The last loop is the one that there was, and makes what belongs to no sum.
  void split(const std::vector<size_t>& ends) {
    size_t begin = 0;
    for (const size_t end : llvm::ArrayRef(ends).drop_back()) {
      makeLoop(begin, end);
      begin = end;
    }
    Instructions needs;
    addNeeds(*block_.getTerminator(), needs);
    for (const llvm::Instruction& instruction : block_)
      if (llvm::any_of(instruction.users(), [&](const llvm::User* user) {
            return llvm::cast<llvm::Instruction>(user)->getParent() != &block_;
          }))
        addNeeds(instruction, needs);
    llvm::BasicBlock* before = loop_.getLoopPreheader();
    for (const Accumulator& each : llvm::ArrayRef(accumulators_).drop_front(begin)) {
      addNeeds(*each.phi, needs);
      begins_.emplace_back(each.phi->getIncomingValueForBlock(before), before);
    }
    keepOnly(needs, block_);
    sinkBegins();
  }

  /// A copy of the loop, before it, with the sums from `begin` to `end`.
  void makeLoop(size_t begin, size_t end) {
    llvm::BasicBlock* before = loop_.getLoopPreheader();
    llvm::ValueToValueMapTy map;
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(&block_, map, ".sums", &region_);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(
        region_.getContext(), block_.getName() + ".next", &region_, &block_);
    copy->moveBefore(after);
    llvm::BranchInst::Create(&block_, after);
    map[&block_] = copy;
    map[loop_.getExitBlock()] = after;
    llvm::remapInstructionsInBlocks({copy}, map);
    before->getTerminator()->replaceSuccessorWith(&block_, copy);
    block_.replacePhiUsesWith(before, after);
    Instructions needs;
    addNeeds(*copy->getTerminator(), needs);
    for (const Accumulator& each : llvm::ArrayRef(accumulators_).slice(begin, end - begin)) {
      begins_.emplace_back(each.phi->getIncomingValueForBlock(after), before);
      for (llvm::Instruction* result : each.results) {
        auto* copied = llvm::cast<llvm::Instruction>(map[result]);
        addNeeds(*copied, needs);
        auto* phi = llvm::PHINode::Create(result->getType(), 1, result->getName(), after->begin());
        phi->addIncoming(copied, copy);
        result->replaceUsesOutsideBlock(phi, &block_);
      }
    }
    keepOnly(needs, *copy);
  }

  /// What a sum begins with is read right before its loop, so that it needs no register earlier.
  void sinkBegins() {
    for (const auto& [begin, before] : begins_)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(begin);
          load && load->isSimple() && load->hasOneUse() && isUnwritten(*load))
        load->moveBefore(before->getTerminator()->getIterator());
  }

  /// Whether nothing may be written from `load` to the first loop. The loops only read.
  bool isUnwritten(const llvm::LoadInst& load) const {
    const llvm::BasicBlock* block = load.getParent();
    for (auto from = load.getIterator(); block; from = block->begin()) {
      if (std::any_of(from, block->end(), [](const auto& each) { return each.mayWriteToMemory(); }))
        return false;
      if (block == preheader_)
        return true;
      block = block->getSingleSuccessor();
      if (!block)
        break;
    }
    return false;
  }

  static void keepOnly(const Instructions& needs, llvm::BasicBlock& block) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block)))
      if (!needs.contains(&instruction)) {
        instruction.replaceAllUsesWith(llvm::PoisonValue::get(instruction.getType()));
        instruction.eraseFromParent();
      }
  }

  llvm::Loop& loop_;
  llvm::BasicBlock &block_, *preheader_;
  llvm::Function& region_;
  unsigned items_;
  const TargetModel& target_;
  llvm::ScalarEvolution& evolution_;
  const Uniformity *inRow_, *inColumn_;
  std::vector<Accumulator> accumulators_;
  llvm::DenseMap<const llvm::Instruction*, double> costs_;         ///< of a packet
  std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> begins_; ///< of sums, before their loops
};

} // namespace

bool splitAccumulators(llvm::Function& region, unsigned items, const TargetModel& target,
                       llvm::FunctionAnalysisManager& analyses) {
  const auto candidates = [&] {
    std::vector<llvm::Loop*> loops;
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder())
      if (const auto phis = loop->getHeader()->phis();
          loop->isInnermost() &&
          static_cast<size_t>(std::distance(phis.begin(), phis.end())) > target.vectorRegisters())
        loops.push_back(loop);
    return loops;
  };
  bool changed = false;
  for (llvm::Loop* loop : candidates())
    changed |= loop->getNumBlocks() == 2 && rotateLoop(*loop, mostRotated, analyses);
  if (changed)
    analyses.invalidate(region, llvm::PreservedAnalyses::none());
  for (llvm::Loop* loop : candidates())
    changed |= Split(*loop, items, target, analyses).run();
  return changed;
}

} // namespace quern::compiler
