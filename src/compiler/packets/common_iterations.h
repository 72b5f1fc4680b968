#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Loops such as `for (i = get_global_id(0); i < n; i += get_global_size(0))`, which neighbouring
/// work-items leave within an iteration of each other.
///
/// Makes two loops of each: one makes the iterations that all work-items of a tile make, and goes
/// on while its condition holds for all (addPacketAll in il/packet_condition.h); the other makes
/// what iterations are left for some of them. Only for loops that are left at their start alone, on
/// a comparison of an affine integer with a uniform one. The region is in LCSSA form. Returns
/// whether there were any; then nothing that is known about it is valid any more.
bool splitOffCommonIterations(const llvm::LoopInfo& loops, const Uniformity& inPacket,
                              const Shapes& shapes, const MaskedBlocks& masked);

} // namespace quern::compiler
