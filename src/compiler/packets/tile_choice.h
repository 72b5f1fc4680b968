#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/packets/accesses/access_plan.h"
#include "compiler/packets/assumptions.h"
#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {

/// What the code of a region's packets is made of, to choose how many run together.
struct TileCandidate {
  llvm::Function& region;
  const llvm::LoopInfo& loops;
  const Shapes& shapes;
  const MaskedBlocks& masked;
  const AccessPlan& accesses; ///< of one packet
  const TargetModel& target;
  const Uniformity& inPacket;
  const Uniformity& inRow; ///< without any alignment
  const Uniformity& inColumn;
  unsigned width; ///< work-items of a packet
};

struct TileChoice {
  PacketTile tile;
  double part = 1; ///< the time of a packet in it, for one of what a packet alone does
};

/// The packets of `width` work-items that a group of `region` has room for in each dimension. Where
/// that is not known, some that most groups have.
PacketTile roomForTile(llvm::Function& region, unsigned width);

/// Whether what is live in the innermost loops of one packet stays in registers.
bool fitsRegisters(const TileCandidate& candidate);

/// The tile that needs least time for each packet, by a simple model of the innermost loops: what
/// packets share is done once for all, independent packets hide each other's latency, and what is
/// live must fit the registers. No larger than the work-group, where its size is known. `assumed`
/// is what the tile's guards ask: where loops have other bounds near edges, single packets run all
/// of the tile there, many times slower, so that it is one packet wide.
TileChoice chooseTile(const TileCandidate& candidate, Assumed assumed);

} // namespace quern::compiler
