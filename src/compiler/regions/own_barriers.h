#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>

#include "compiler/il/uniformity.h"

namespace quern::compiler {

/// Blocks of `item` that some work-items of a group may run while others do not: all between a
/// branch that they may take differently and the point where their paths join. No barrier of our
/// own may lie there.
llvm::SmallPtrSet<llvm::BasicBlock*, 32> divergentBlocks(llvm::Function& item,
                                                         const Uniformity& uniformity);

/// The blocks that can be reached from `branch` before `join`, which may be null.
llvm::SmallPtrSet<llvm::BasicBlock*, 32> blocksBetween(llvm::BasicBlock& branch,
                                                       const llvm::BasicBlock* join);

/// Makes a barrier that the program does not have at the start of `block`: only regions end there.
/// The module must have a barrier already.
void insertOwnBarrier(llvm::BasicBlock& block);

} // namespace quern::compiler
