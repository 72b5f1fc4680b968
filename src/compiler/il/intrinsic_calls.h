#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassManager.h>

namespace quern::compiler {

/// Calls `replace` for each call of the intrinsic in `function`. It says whether it changed
/// anything, and may erase the call and what is then unused, but no other call of it and no block.
llvm::PreservedAnalyses replaceCalls(llvm::Function& function, llvm::Intrinsic::ID intrinsic,
                                     llvm::function_ref<bool(llvm::IntrinsicInst&)> replace);

} // namespace quern::compiler
