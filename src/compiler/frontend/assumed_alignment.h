#pragma once

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Puts what a program promises of an address with __builtin_assume_aligned in the place of the
/// call that stands for it (opencl_extra.h).
void assumeAlignment(llvm::Module& module);

} // namespace quern::compiler
