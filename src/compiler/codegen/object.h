#pragma once

#include <string>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "base/bytes.h"
#include "base/result.h"

namespace quern::compiler {

/// Generates a relocatable ELF object. Fails with CL_BUILD_PROGRAM_FAILURE when the code refers to
/// symbols that no device provides (abi/cpu_kernel.h). `quickly`: without what makes code faster.
Result<Bytes> emitObject(llvm::Module& module, llvm::TargetMachine& machine, bool quickly = false);

/// Generates PTX for an NVIDIA device, with a zero at the end as the driver wants it. Never fails.
Result<Bytes> emitPtx(llvm::Module& module, llvm::TargetMachine& machine);

/// The same code as assembly text. Changes the module as emitObject does, so work on a copy.
std::string emitAssembly(llvm::Module& module, llvm::TargetMachine& machine);

} // namespace quern::compiler
