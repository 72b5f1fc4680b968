#pragma once

#include <llvm/IR/Function.h>

namespace quern::compiler {

/// Makes operations that vectors have of what has no form for them: of intrinsics for arithmetic
/// that tells whether its result wraps, and for pointers of which bits are cleared, and of products
/// in 128 bits of which a half is taken, as mul_hi of long does. True if there was any.
bool expandForVectors(llvm::Function& function);

} // namespace quern::compiler
