#pragma once

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Makes kernels of the functions of `module`, as Clang made it, that the program declares without
/// the qualifier `kernel` before it defines them with it: such a function keeps the calling
/// convention of its first declaration. What is called before is its body
/// (names::clangKernelBody).
void completeDeclaredKernels(llvm::Module& module);

} // namespace quern::compiler
