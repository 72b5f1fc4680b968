#pragma once

#include <vector>

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// In how many loops that barriers or meetings of sub-groups cut into regions each of `regions`
/// lies. They are all those of one form of a kernel.
std::vector<unsigned> regionLoopDepths(const std::vector<llvm::Function*>& regions);

} // namespace quern::compiler
