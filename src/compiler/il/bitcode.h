#pragma once

#include <memory>
#include <span>
#include <string>

#include <llvm/IR/Module.h>

#include "base/bytes.h"

namespace quern::compiler {

/// Makes errors and warnings that LLVM reports to `context` lines of `log` instead of ending the
/// process.
void collectDiagnostics(llvm::LLVMContext& context, std::string& log);

/// Whether an error has been reported since collectDiagnostics.
bool hasErrors(llvm::LLVMContext& context);

Bytes writeBitcode(const llvm::Module& module);

/// Null when `bytes` is not bitcode that this LLVM reads; the reason is reported to `context`.
std::unique_ptr<llvm::Module> readBitcode(std::span<const std::byte> bytes,
                                          llvm::LLVMContext& context);

/// Likewise without the functions that neither the kernel of that name nor a variable reaches,
/// whose bodies are not read: most of a program of many kernels.
std::unique_ptr<llvm::Module> readKernelBitcode(std::span<const std::byte> bytes,
                                                llvm::StringRef kernel, llvm::LLVMContext& context);

/// Links all into one module. Null after an error, e.g. a function that is defined twice.
std::unique_ptr<llvm::Module> linkPrograms(std::span<const std::span<const std::byte>> programs,
                                           llvm::LLVMContext& context);

} // namespace quern::compiler
