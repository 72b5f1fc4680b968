#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

class NvptxWorkItem;

/// The result of a collective function of a sub-group, as the built-in library calls it, in a
/// kernel: for those threads of a warp that are there.
llvm::Value* combineInSubGroup(llvm::CallInst& call, NvptxWorkItem& item,
                               llvm::IRBuilder<>& builder, unsigned capability);

} // namespace quern::compiler
