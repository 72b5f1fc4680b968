#pragma once

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Makes the kernels of blocks (OpenCL C 3.0, 6.12) what any device can launch: they take the block
/// with what it captured by value, as their first argument. Where they are enqueued or asked about
/// they are named by abi::blockId, so that no code refers to them. With `tellsErrors`, as -g asks
/// for, the functions that enqueue say what was wrong.
void makeBlockKernels(llvm::Module& module, bool tellsErrors);

} // namespace quern::compiler
