#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Packets run along dimension 0. Many a program counts the rows of its arrays there, or their
/// planes, and their columns in dimension 1 or 2: then neighbours in a packet find their elements a
/// row apart. A kernel of one region, none of whose work-items can see in which order the others
/// come, may as well run with these dimensions exchanged.

/// A copy of the region, before that has forms, whose implicit arguments for dimension 0 are those
/// for `dimension` of the region, and the other way round (names::packetDimensionAttribute). Null
/// unless accesses are closer to each other in that dimension than in dimension 0, or there are too
/// few work-items for packets in dimension 0; and where the region looks at the order of the
/// work-items.
llvm::Function* exchangeDimensions(llvm::Function& region, unsigned dimension,
                                   llvm::FunctionAnalysisManager& analyses);

} // namespace quern::compiler
