#pragma once

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// Says in other words what LLVM's back end for SPIR-V writes wrongly or in a way that validators
/// refuse. `program` means the same afterwards; its calls of built-in functions are still those of
/// OpenCL C.
void reword(llvm::Module& program);

} // namespace quern::compiler
