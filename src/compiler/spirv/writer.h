#pragma once

#include <llvm/IR/Module.h>

#include "base/bytes.h"
#include "base/result.h"

namespace quern::compiler {

/// A program as a front end made it, as SPIR-V, by LLVM's back end. That keeps what it knows of one
/// module for the next and gives up on some, so it runs in a child process. Fails with
/// CL_BUILD_PROGRAM_FAILURE where it does.
Result<Bytes> writeSpirv(llvm::Module& program);

} // namespace quern::compiler
