#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "compiler/packets/masked_blocks.h"
#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// Whether the region computes, in its loops if it has any, with vectors of the program that fill
/// registers of `registerBits` one by one. In packets each would take many.
bool hasFullVectors(llvm::Function& region, const llvm::LoopInfo& loops, unsigned registerBits);

/// Whether branches skip much code in the region.
bool skipsMuch(const llvm::Function& region, const MaskedBlocks& masked);

/// Bits of the widest number that is different in the work-items of a packet, addresses left out.
unsigned widestVaryingBits(llvm::Function& region, const Shapes& shapes);

/// Whether most operations of a packet have elements of at most 16 bits, so that packets as wide as
/// numbers of 32 bits fill a register leave half of theirs empty.
bool areMostlyNarrow(llvm::Function& region, const Shapes& shapes, const llvm::LoopInfo& loops);

} // namespace quern::compiler
