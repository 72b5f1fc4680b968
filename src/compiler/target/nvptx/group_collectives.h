#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

class NvptxWorkItem;

/// The result of a collective function of a work-group, as the built-in library calls it, in a
/// kernel: votes are barriers, other values go through a warp and then through local memory.
/// `capability` as computeCapability gives it.
llvm::Value* combineInGroup(llvm::CallInst& call, NvptxWorkItem& item, llvm::IRBuilder<>& builder,
                            unsigned capability);

/// All work-items of the work-group meet and see what the others have written.
void groupBarrier(llvm::IRBuilder<>& builder);

} // namespace quern::compiler
