#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace quern::compiler {

/// What Clang and the reader of SPIR-V both promise of the module that they make, and the steps
/// that follow rely on (docs/compiler.md): target, kernels and their metadata, address spaces,
/// opaque types, names, calls. The first thing that does not hold, as a sentence; empty where all
/// does. Checked of both with QUERN_VERIFY.
std::string whyNotFromFrontEnd(const llvm::Module& module);

} // namespace quern::compiler
