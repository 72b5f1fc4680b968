#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>
#include <llvm/IR/Value.h>

namespace quern::compiler {

/// Whether the bit of `argument` is set in the number that abi::CheckedLaunchInfo has at `offset`,
/// as a value that is there in all of the work-item body.
llvm::Value* launchBit(llvm::Function& body, uint64_t offset, unsigned argument);

} // namespace quern::compiler
