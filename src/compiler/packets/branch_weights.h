#pragma once

#include <llvm/IR/Instructions.h>

namespace quern::compiler {

/// Whether hardly any execution of a conditional branch goes the way of its condition, or the other
/// one: by its weights, as `__builtin_expect` makes them.
bool isUnlikely(const llvm::BranchInst& branch, bool condition);

/// Whether one of both ways is unlikely, so that the processor foretells the other one.
bool isBiased(const llvm::BranchInst& branch);

} // namespace quern::compiler
