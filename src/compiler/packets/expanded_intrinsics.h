#pragma once

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Makes plain operations of intrinsics that have no form for vectors: of arithmetic that tells
/// whether its result wraps, and of pointers of which bits are cleared. True if there was any.
bool expandIntrinsics(llvm::Function& function);

} // namespace quern::compiler
