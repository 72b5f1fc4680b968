#pragma once

#include <llvm/IR/Function.h>

#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/memory_accesses.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Everything that is known about a region that shall run in packets.
struct PacketPlan {
  llvm::Function& region;
  const llvm::LoopInfo& loops;
  const Shapes& shapes;
  const MaskedBlocks& masked;
  const MemoryAccesses& accesses;
  unsigned width; ///< work-items of a packet
};

/// A function of the type of `plan.region` that does for `plan.width` work-items what the region
/// does for one: its parameters Item in dimension 0 and ItemIndex are those of the first. Values
/// that leave their block go through variables, for the optimiser to make values of again.
llvm::Function* emitPacket(const PacketPlan& plan);

} // namespace quern::compiler
