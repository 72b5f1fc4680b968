#pragma once

#include <utility>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/il/boundary.h"

namespace quern::compiler {

/// The barriers and collective functions of `body`, in order.
llvm::SmallVector<std::pair<llvm::CallInst*, Boundary>> meetingsOf(llvm::Function& body);

/// A barrier's own flags, those of all memory for collective functions, and
/// abi::checkedFlagOfSubGroup, as an i64.
llvm::Value* flagsOf(llvm::IRBuilder<>& builder, llvm::CallInst& meeting, Boundary boundary);

} // namespace quern::compiler
