#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/packets/interleave_groups.h"
#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"
#include "compiler/packets/short_rows.h"

namespace quern::compiler {

/// What the code of a region's packets is made of, to choose how many run together.
struct TileCandidate {
  llvm::Function& region;
  const llvm::LoopInfo& loops;
  const Shapes& shapes;
  const MaskedBlocks& masked;
  const InterleaveGroups& accesses;
  const ShortRows* rows; ///< null where a packet holds no short rows
  const PacketUniformity& inPacket;
  const PacketUniformity& inRow; ///< without any alignment
  const PacketUniformity& inColumn;
  unsigned width;     ///< work-items of a packet
  unsigned registers; ///< the target's vector registers
};

/// The tile that needs least time for each packet, by a simple model of the innermost loops: what
/// packets share is done once for all, independent packets hide each other's latency, and what is
/// live must fit the registers. No larger than the work-group, where its size is known.
PacketTile chooseTile(const TileCandidate& candidate);

} // namespace quern::compiler
