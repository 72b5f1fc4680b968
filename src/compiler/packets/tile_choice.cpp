#include "compiler/packets/tile_choice.h"

#include <algorithm>
#include <cmath>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/il/group_shape.h"
#include "compiler/il/kernel_function.h"
#include "compiler/il/names.h"
#include "compiler/il/packet_condition.h"
#include "compiler/il/packet_operation.h"
#include "compiler/il/streaming.h"
#include "compiler/packets/recurrence.h"
#include "compiler/packets/register_pressure.h"

namespace quern::compiler {
namespace {

/// Packets of a tile without loops: two fill the window with what does not wait for each other.
constexpr unsigned mostWithoutLoops = 2;
/// Of what is around a tile: the step to the next one. Little code is several times in a tile, so
/// that this and its guards do not take as long as the code does.
constexpr double tileCost = 4, littleCode = 12;
/// Of one instruction that is made of several.
constexpr double longCode = 4;
constexpr unsigned mostOfLittleCode = 8;

/// Work-items along dimension 0 that a device runs at once where it can, and that a group without
/// other dimensions mostly has; those of a range of one dimension; and rows that a group with
/// several mostly has.
constexpr unsigned itemsInRow = 64, itemsInRange = 256, commonRows = 4;

/// Copies of the region's instructions that a tile may make; more take long to compile.
constexpr unsigned maxTileInstructions = 3000;
/// Private memory of a tile, which should stay in the nearest cache.
constexpr uint64_t maxPrivateBytes = 16 << 10;
/// Where work-items diverge, a tile twice as large must be faster by this factor instead of
/// TargetModel::leastGain.
constexpr double leastMaskedGain = 1.3;
constexpr unsigned mostMaskedColumns = 4;

/// A function that the built-in library has for rare arguments, behind a condition.
bool isRare(const llvm::Instruction& instruction, const MaskedBlocks& masked) {
  return llvm::isa<llvm::CallInst>(instruction) && runsForEachItem(instruction) &&
         masked.contains(instruction.getParent());
}

/// Whether `stretch` holds what is left of a loop after the iterations that all work-items make
/// (common_iterations.h): an iteration for some of them.
bool isRest(const MaskedBlocks::Stretch& stretch) {
  return llvm::any_of(
      llvm::predecessors(stretch.blocks.front()), [](const llvm::BasicBlock* before) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
        const auto* condition = branch && branch->isConditional()
                                    ? llvm::dyn_cast<llvm::CallInst>(branch->getCondition())
                                    : nullptr;
        return condition && isPacketAll(*condition);
      });
}

/// Whether all work-items run the same but for the last iteration of loops.
bool divergeInLastIterations(const MaskedBlocks& masked) {
  return llvm::all_of(masked.stretches(), isRest);
}

/// Whether work-items diverge for more than rare arguments and last iterations.
bool divergeOften(const MaskedBlocks& masked) {
  return llvm::any_of(masked.stretches(), [&](const MaskedBlocks::Stretch& stretch) {
    return !isRest(stretch) && llvm::none_of(stretch.blocks, [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const auto& each) { return isRare(each, masked); });
    });
  });
}

bool isInRest(const llvm::BasicBlock* block, const MaskedBlocks& masked) {
  return masked.contains(block) && isRest(masked.stretchOf(block));
}

class Model {
public:
  explicit Model(const TileCandidate& candidate) : candidate_(candidate) {
    for (const llvm::Loop* loop : candidate.loops.getLoopsInPreorder())
      if (loop->isInnermost() && !isInRest(loop->getHeader(), candidate.masked))
        innermost_.push_back(loop);
    findConditions();
  }

  /// The time of one packet in the innermost loops, of which those in more loops run more often, or
  /// in all of a region without loops. `waits`: for what the processor does not find ready, too.
  double cost(PacketTile tile, bool waits = true) const {
    const TileSharing sharing(tile, candidate_.inRow, candidate_.inColumn);
    const auto workOfBlock = [&](const llvm::BasicBlock& inside) {
      double sum = 0;
      for (const llvm::Instruction& instruction : inside)
        sum += weight(instruction) *
               (conditions_.contains(&instruction) ? 1 : ownerCount(instruction, sharing));
      return sum;
    };
    const double latency = waits ? TargetModel::latency : 0;
    double sum = 0;
    for (const llvm::Loop* loop : innermost_) {
      double inIteration = 0;
      for (const llvm::BasicBlock* inside : loop->blocks())
        inIteration += workOfBlock(*inside);
      const double iterations = TargetModel::timesInLoops(loop->getLoopDepth());
      sum += iterations * std::max(inIteration, latency * recurrenceOf(*loop, candidate_.shapes)) /
             tile.packets();
    }
    if (innermost_.empty()) {
      for (const llvm::BasicBlock& inside : candidate_.region)
        sum += workOfBlock(inside);
      const double tilesInWindow = std::max(TargetModel::window / sum, 1.0);
      sum = std::max(sum, latency * longestPath() / tilesInWindow);
      sum = (sum + tileCost) / tile.packets() + (tile.rows > 1 ? costOfRows(sharing) : 0);
    }
    return sum;
  }

  /// How much code one packet of a region without loops is, however long each instruction takes.
  double code() const {
    double sum = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(candidate_.region))
      if (!conditions_.contains(&instruction))
        sum += std::min(weight(instruction), longCode);
    return sum;
  }

  /// Vector instructions of a region without loops that wait one for the other, as many as take the
  /// time of those that there are.
  unsigned longestPath() const {
    llvm::DenseMap<const llvm::Value*, unsigned> depths;
    unsigned longest = 0;
    for (const llvm::BasicBlock* block :
         llvm::ReversePostOrderTraversal<const llvm::Function*>(&candidate_.region))
      for (const llvm::Instruction& instruction : *block) {
        unsigned depth = 0;
        for (const llvm::Value* operand : instruction.operands())
          depth = std::max(depth, depths.lookup(operand));
        depths[&instruction] = depth += isVector(&instruction) ? steps(instruction) : 0;
        longest = std::max(longest, depth);
      }
    return longest;
  }

  /// Whether what is live in the innermost loops stays in registers.
  bool fits(PacketTile tile) const {
    const TileSharing sharing(tile, candidate_.inRow, candidate_.inColumn);
    return std::ranges::all_of(innermost_, [&](const llvm::Loop* loop) {
      return registerPressure(*loop, candidate_.shapes, candidate_.target, candidate_.width,
                              sharing) <= candidate_.target.vectorRegisters();
    });
  }

private:
  /// What only guards need, most of which a tile tests once (packet_conditions.cpp).
  void findConditions() {
    for (const llvm::BasicBlock* block : llvm::post_order(&candidate_.region))
      for (const llvm::Instruction& instruction : llvm::reverse(*block))
        if (isPacketGuard(instruction) ||
            (!instruction.use_empty() && llvm::all_of(instruction.users(), [&](const auto* user) {
              return conditions_.contains(llvm::cast<llvm::Instruction>(user));
            })))
          conditions_.insert(&instruction);
  }

  /// What rows that take turns cost a packet without loops. The processor reads ahead of one that
  /// goes through memory in its order. Several lie apart by what may be a power of two, and push
  /// each other out of the cache. Where a row does not go in order, the next one may find its lines
  /// there.
  double costOfRows(const TileSharing& sharing) const {
    constexpr unsigned betweenRows = 2;
    double lines = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(candidate_.region)) {
      const AccessLowering* access = candidate_.accesses.of(&instruction);
      if (access && access->isScattered())
        return 0;
      if (access && (access->varyingDimensions(sharing) & betweenRows) != 0 &&
          !candidate_.shapes.of(llvm::getLoadStorePointerOperand(&instruction)).isUniform())
        lines += candidate_.width / double{TargetModel::lineBytes} *
                 static_cast<double>(candidate_.region.getDataLayout().getTypeStoreSize(
                     llvm::getLoadStoreType(&instruction)));
    }
    return TargetModel::lineFromCache * lines;
  }

  bool isVector(const llvm::Value* value) const {
    return quern::compiler::isVector(value, candidate_.shapes);
  }

  /// How many others take the time until the result is there.
  static unsigned steps(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == llvm::Intrinsic::sqrt ? 5
           : instruction.getOpcode() == llvm::Instruction::FDiv    ? 3
                                                                   : 1;
  }

  unsigned ownerCount(const llvm::Instruction& instruction, const TileSharing& sharing) const {
    const AccessLowering* access = candidate_.accesses.of(&instruction);
    return sharing.ownerCount(access ? access->varyingDimensions(sharing)
                                     : sharing.varyingDimensions(&instruction));
  }

  double weight(const llvm::Instruction& instruction) const {
    const auto [place, isNew] = weights_.try_emplace(&instruction, 0);
    if (isNew)
      place->second = computeWeight(instruction);
    return place->second;
  }

  double computeWeight(const llvm::Instruction& instruction) const {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() ||
        instruction.isDebugOrPseudoInst())
      return 0;
    if (candidate_.accesses.of(&instruction))
      return candidate_.accesses.cost(instruction, candidate_.target, true);
    if (instruction.getType()->isVectorTy() && candidate_.shapes.of(&instruction).isVarying())
      return candidate_.target.operation(instruction, candidate_.width);
    if (llvm::isa<llvm::GetElementPtrInst>(instruction))
      return candidate_.shapes.of(&instruction).isVarying() ? 1 : 0;
    if (instruction.isIntDivRem() || instruction.getOpcode() == llvm::Instruction::FDiv)
      return TargetModel::floatDivision;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      return isRare(*call, candidate_.masked) ? 0
             : llvm::isa<llvm::IntrinsicInst>(call) || isPacketAll(*call) || isPacketGuard(*call)
                 ? 1
                 : candidate_.width * (TargetModel::scalar + TargetModel::handOver);
    return candidate_.shapes.of(&instruction).isVarying() ? 1 : TargetModel::scalar;
  }

  const TileCandidate& candidate_;
  llvm::SmallVector<const llvm::Loop*> innermost_;
  llvm::SmallPtrSet<const llvm::Instruction*, 16> conditions_;
  mutable llvm::DenseMap<const llvm::Instruction*, double> weights_;
};

/// How many packets may go the same way.
PacketTile limitsOf(const TileCandidate& candidate) {
  const llvm::Function& region = candidate.region;
  PacketTile limits = roomForTile(candidate.region, candidate.width);
  // Rows one after the other, in the order of memory, where there is little else to do.
  if (candidate.loops.empty() && llvm::any_of(llvm::instructions(region), isStreamed))
    limits.rows = 1;
  // Packets must go the same way.
  for (const llvm::BasicBlock& block : region) {
    if (candidate.inPacket.hasDivergentTerminator(block))
      continue;
    if (candidate.inRow.hasDivergentTerminator(block))
      limits.columns = 1;
    if (candidate.inColumn.hasDivergentTerminator(block))
      limits.rows = 1;
  }
  // All wait for the one that needs most iterations.
  if (!divergeInLastIterations(candidate.masked))
    limits = {std::min(limits.columns, mostMaskedColumns), 1};
  return limits;
}

} // namespace

PacketTile roomForTile(llvm::Function& region, unsigned width) {
  const std::array<uint64_t, 3> size = groupShape(region);
  const bool hasRows = !implicitArgument(region, ImplicitArgument::Item, 1)->use_empty();
  PacketTile room;
  if (const uint64_t most = numberAttribute(region, names::mostColumnsAttribute))
    room.columns = static_cast<unsigned>(std::max<uint64_t>(most / width, 1));
  else if (isFlat(region, 0))
    room.columns = std::clamp((hasRows ? itemsInRow : itemsInRange) / width, 1u, 16u);
  else if (size[0] != 0)
    room.columns = std::clamp<uint64_t>(size[0] / width, 1, 16);
  else if (!hasRows)
    room.columns = std::clamp(itemsInRow / width, 1u, 16u);
  if (hasRows)
    room.rows = isFlat(region, 1) || size[0] == 0 ? commonRows : std::min<uint64_t>(size[1], 16);
  return room;
}

bool fitsRegisters(const TileCandidate& candidate) {
  return Model(candidate).fits({});
}

TileChoice chooseTile(const TileCandidate& candidate, Assumed assumed) {
  PacketTile limits = limitsOf(candidate);
  if (assumed == Assumed::BoundsOfLoops)
    limits.columns = 1;
  const Model model(candidate);
  const unsigned instructions = candidate.region.getInstructionCount();
  const uint64_t privateBytes = candidate.shapes.arrays().bytes() * candidate.width;
  PacketTile best;
  double bestCost = model.cost(best);
  const bool diverges = divergeOften(candidate.masked);
  const bool isStraight = candidate.loops.empty() && !diverges;
  const bool isLittle = isStraight && model.code() < littleCode;
  // Of little code there may always be more.
  const double gain = diverges ? leastMaskedGain : isLittle ? 1 : TargetModel::leastGain;
  const unsigned most = !candidate.loops.empty() ? 16
                        : !isStraight            ? 1
                        : isLittle               ? mostOfLittleCode
                                                 : mostWithoutLoops;
  for (unsigned packets = 2; packets <= most && packets * instructions <= maxTileInstructions;
       packets *= 2)
    for (unsigned rows = 1; rows <= packets; rows *= 2) {
      const PacketTile tile{packets / rows, rows};
      if (tile.columns > limits.columns || tile.rows > limits.rows || !model.fits(tile) ||
          packets * privateBytes > maxPrivateBytes)
        continue;
      const double doublings = std::log2(packets) - std::log2(best.packets());
      const double cost = model.cost(tile);
      if (cost * std::pow(gain, doublings) < bestCost) {
        best = tile;
        bestCost = cost;
      }
    }
  const double work = model.cost({}, /*waits=*/false);
  return {best, work > 0 ? bestCost / work : 1};
}

} // namespace quern::compiler
