#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instruction.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

bool isPrefetch(const llvm::Instruction& instruction);

/// The work-items of a packet of `width` that prefetch for all, one for each line of the cache,
/// where the addresses have this shape.
llvm::SmallVector<unsigned, 64> prefetchingItems(Shape addresses, unsigned width);

} // namespace quern::compiler
