#pragma once

#include <vector>

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// The reachable blocks of `function` in an order in which a block comes after all those that lead
/// to it (but for back edges) and no other block comes between those of a loop.
std::vector<llvm::BasicBlock*> loopCompactOrder(llvm::Function& function);

} // namespace quern::compiler
