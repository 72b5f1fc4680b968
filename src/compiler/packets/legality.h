#pragma once

#include <string>

#include <llvm/IR/Function.h>

#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Why a region cannot be run for several work-items at once, as a clause; empty when it can.
std::string whyNotPackets(llvm::Function& region, const Shapes& shapes, const MaskedBlocks& masked,
                          const llvm::LoopInfo& loops);

/// The same of a region's size alone. `isPrepared`: otherwise preparation for packets may shorten
/// it by half.
std::string whyTooLong(const llvm::Function& region, bool isPrepared);

} // namespace quern::compiler
