#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Elements `first` to `first + count` of a vector; those that it does not have may be anything.
llvm::Value* vectorPart(llvm::IRBuilder<>& builder, llvm::Value* vector, unsigned first,
                        unsigned count);

/// A vector of `size` elements from registers of `count`, of which `function` makes the one that
/// begins with the element `first`.
llvm::Value* joinRegisters(llvm::IRBuilder<>& builder, unsigned size, unsigned count,
                           llvm::function_ref<llvm::Value*(unsigned first)> function);

} // namespace quern::compiler
