#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/packets/packet_tile.h"
#include "compiler/packets/shapes.h"
#include "compiler/target/target_model.h"

namespace quern::compiler {

/// Vector registers that hold what is live at once in an innermost loop of packets of `width`
/// work-items, for all packets of a tile.
unsigned registerPressure(const llvm::Loop& loop, const Shapes& shapes, const TargetModel& target,
                          unsigned width, const TileSharing& sharing);

} // namespace quern::compiler
