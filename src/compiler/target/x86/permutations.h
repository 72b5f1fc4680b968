#pragma once

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Type.h>
#include <llvm/Target/TargetMachine.h>

namespace quern::compiler {

/// The instruction that makes a vector of `items` 32-bit words of another one's, by a vector of
/// their numbers, of which the lower bits count; not_intrinsic where `machine` has none.
llvm::Intrinsic::ID wordPermutation(const llvm::TargetMachine& machine, unsigned items);

/// The instruction that makes a vector of elements of `element`, of 32 or 64 bits, of those of two
/// vectors of permutationBits each, by a vector of their numbers between the two; not_intrinsic
/// where `machine` has none.
llvm::Intrinsic::ID pairPermutation(const llvm::TargetMachine& machine, const llvm::Type& element);
inline constexpr unsigned permutationBits = 512;

} // namespace quern::compiler
