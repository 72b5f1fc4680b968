#pragma once

#include <llvm/Analysis/ScalarEvolution.h>

#include "compiler/packets/shapes.h"

namespace quern::compiler {

/// How many places of memory each packet of a region goes on with, where the one before it stopped:
/// elements that follow each other for the work-items of a row. Those that lie within a page of
/// each other count as one. Beyond a number of them (TargetModel::followedStreams) a processor does
/// not read ahead of each any more, and it is worth to do more at each place.
unsigned countMemoryStreams(llvm::Function& region, const Shapes& shapes,
                            llvm::ScalarEvolution& evolution);

} // namespace quern::compiler
