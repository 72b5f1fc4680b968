#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

/// Whether every use of `function` is a call of it, so that its parameters may change.
bool isOnlyCalled(const llvm::Function& function);

/// Gives `function`, which is only called, parameters of `types` behind its own, whose arguments
/// `argumentsFor` makes in front of each call. The result takes the place of `function`.
llvm::Function& appendParameters(
    llvm::Function& function, llvm::ArrayRef<llvm::Type*> types,
    llvm::function_ref<llvm::SmallVector<llvm::Value*>(llvm::IRBuilder<>&)> argumentsFor);

} // namespace quern::compiler
