#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/BasicBlock.h>

#include "compiler/packets/packet_part.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// How many work-items, and how many packets, run a block of all that run the region, or an
/// iteration of its loops, once.
struct Share {
  double items = 1, packets = 1;
  /// Whether its packets need a mask: conditions on ids are tested for a whole packet.
  bool isMasked = false;
  /// Whether one work-item of a row runs it.
  bool isOfOne = false;
};

/// The shares of the blocks of a region, as far as its conditions tell them. Of other conditions
/// the work-items go both ways alike, so that fewer of them run what lies within several, which
/// packets test one after the other.
class BlockShares {
public:
  explicit BlockShares(const PacketPlan& plan);

  Share of(const llvm::BasicBlock* block) const { return shares_.lookup(block); }

private:
  llvm::DenseMap<const llvm::BasicBlock*, Share> shares_;
};

/// Whether a condition compares ids with limits, or where work-items wait, so that it is mostly the
/// same for a whole packet.
bool comparesIds(const llvm::Value* condition, const Shapes& shapes);

/// Whether another condition ends `loop` for some work-items of a packet before the others: these
/// wait for the slowest.
bool isLeftOneByOne(const llvm::Loop& loop, const Shapes& shapes);

} // namespace quern::compiler
