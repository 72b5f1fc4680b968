#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instruction.h>

namespace quern::compiler {

/// The conversions of `value`, an integer, to 64 bits that keep its sign: `sext`, and `zext nneg`
/// of what is never negative.
llvm::SmallVector<llvm::Instruction*> signExtensionsOf(llvm::Value& value);

/// Puts `wide`, which is what the conversions make, in their place.
void replaceSignExtensions(llvm::ArrayRef<llvm::Instruction*> conversions, llvm::Value* wide);

} // namespace quern::compiler
