#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/packets/interleave_groups.h"
#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"
#include "compiler/packets/short_rows.h"

namespace quern::compiler {

class AccessPlan;

/// Everything that is known about a region that shall run in packets.
struct PacketPlan {
  llvm::Function& region;
  const llvm::TargetMachine& machine;
  const llvm::LoopInfo& loops;
  LaneShapes& lanes;
  const Shapes& shapes; ///< of packets
  const MaskedBlocks& masked;
  const InterleaveGroups& groups;
  const ShortRows* rows; ///< null where a packet holds no short rows
  unsigned width;        ///< work-items of a packet
  const TileSharing& sharing;
  /// Only the work-items inside the work-group run; the first one is. For tiles of one packet.
  bool isAtEdge;
};

/// What a tile of packets returns when it has done nothing, because a condition that it was made
/// for (il/packet_condition.h) does not hold for all of its work-items.
inline constexpr int32_t nothingDone = -1;

/// A function of the type of `plan.region` that does for a tile of packets what the region does
/// for one work-item: its parameters Item and ItemIndex are those of the first. Values that leave
/// their block go through variables, for the optimiser to make values of again. `accesses` is made
/// of `plan`.
llvm::Function* emitPacket(const PacketPlan& plan, const AccessPlan& accesses,
                           const llvm::Twine& name);

} // namespace quern::compiler
