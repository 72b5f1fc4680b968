#pragma once

#include <llvm/IR/IRBuilder.h>

namespace quern::compiler {

class NvptxWorkItem;

/// The result of a collective function as the built-in library calls it, in a kernel. Values of a
/// sub-group go through shuffles and votes, those of a work-group through local memory.
llvm::Value* combineAcrossWorkItems(llvm::CallInst& call, NvptxWorkItem& item,
                                    llvm::IRBuilder<>& builder);

/// All work-items of the work-group meet and see what the others have written.
void groupBarrier(llvm::IRBuilder<>& builder);

} // namespace quern::compiler
